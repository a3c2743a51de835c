import { eq } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { readDataUrl } from "../../people/users/parse-profile-image.ts";
import { readableAddress } from "../../pictures/fetch-outside-picture.ts";
import { loadSnapshot } from "../catalog/catalog-snapshot.ts";
import { mayRead, mayUse } from "../catalog/visibility.ts";
import { modelPictures } from "./tables.ts";

/** A picture to serve, or where this service hands it on. */
export type Picture = { type: string; bytes: Uint8Array<ArrayBuffer> } | { url: string };

/** The picture of a model; undefined if it has none that may be shown, does not exist, or is not visible to
 * the caller. */
export async function readPicture(ctx: Context, id: string): Promise<Picture | undefined> {
  const viewer = requireUser(ctx);
  const snapshot = await loadSnapshot(ctx);
  const rules = { snapshot, settings: ctx.settings, viewer };
  const stored = snapshot.stored.get(id);
  const isSeen = mayUse(rules, id) || (stored !== undefined && mayRead(rules, stored));
  if (!isSeen || !stored?.hasPicture) return undefined;
  const [row] = await ctx.db
    .select({ url: modelPictures.url })
    .from(modelPictures)
    .where(eq(modelPictures.modelId, id));
  if (!row) return undefined;
  if (row.url.startsWith("data:")) return readDataUrl(row.url);
  const url = readableAddress(ctx, row.url);
  return url === undefined ? undefined : { url };
}
