import { eq } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { readDataUrl } from "../../people/users/parse-profile-image.ts";
import { loadSnapshot } from "../catalog/catalog-snapshot.ts";
import { mayRead, mayUse } from "../catalog/visibility.ts";
import { modelPictures } from "./tables.ts";

/** A picture to serve, or its address. */
export type Picture = { type: string; bytes: Uint8Array<ArrayBuffer> } | { url: string };

/** The picture of a model; undefined if it has none, does not exist, or is not visible to the caller. */
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
  return row.url.startsWith("data:") ? readDataUrl(row.url) : { url: row.url };
}
