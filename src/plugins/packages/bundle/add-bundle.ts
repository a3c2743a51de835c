import { eq, sql } from "drizzle-orm";
import { managesOrganization, requireManager, type User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { isForeignKeyViolation } from "../../../db/database-error.ts";
import { AppError } from "../../../errors.ts";
import { newId } from "../../../lib/id.ts";
import { tryParseJson } from "../../../lib/json.ts";
import { utf8Text } from "../../../lib/utf8.ts";
import { downloadView, newDownload } from "../downloads/downloads.ts";
import { installFetched, noRoom } from "../downloads/install-fetched.ts";
import { maxDownloadBytes } from "../downloads/plan-download.ts";
import type { DownloadView } from "../downloads/schema.ts";
import { packageKey } from "../find-packages.ts";
import { maxPackageBytes, unknownOrganization } from "../packages.ts";
import { readFetchedWheel } from "../read-fetched-wheel.ts";
import { sha256Hex } from "../sha256-hex.ts";
import { packageDownloads } from "../tables.ts";
import { bundlePins, pinsFile } from "./bundle-pins.ts";
import { readBundle } from "./read-bundle.ts";

type Row = typeof packageDownloads.$inferSelect;

/**
 * Stores the packages of a bundle for the plugins of an organization, in place of those of the same names: all of them or none.
 * @throws AppError `forbidden`; `validation_failed` for an organization that does not exist for the caller; `plugin_invalid` for what is
 *   no bundle, and for a wheel that is not as its pin says; `payload_too_large`; `conflict` where there is no room.
 */
export async function addBundle(
  ctx: Context,
  body: ReadableStream<Uint8Array> | null,
  organizationId: string | undefined,
): Promise<DownloadView> {
  const user = requireManager(ctx);
  const home = organizationId ?? user.organizationId;
  if (!managesOrganization(user, home)) throw unknownOrganization();
  if (!body) throw noBundle();
  let row: Row | undefined;
  try {
    for await (const { name, bytes } of readBundle(body, {
      maxBytes: maxDownloadBytes,
      maxEntryBytes: maxPackageBytes,
    })) {
      if (!row) {
        if (name !== pinsFile) throw noBundle();
        row = await insertRow(ctx, user, home, utf8Text(bytes));
        continue;
      }
      const pin = row.packages.find(({ filename }) => filename === name);
      if (!pin || row.fetched.some(({ id }) => id === pin.id))
        throw invalid(`${name} is not in the list of the bundle`);
      if ((await sha256Hex(bytes)) !== pin.sha256) throw invalid(`${name} is not the file that the bundle lists`);
      const contents = readFetchedWheel(pin, bytes);
      await ctx.blobs.put(packageKey(pin.id), bytes);
      row.fetched.push({ id: pin.id, size: bytes.length, contents });
    }
    if (!row) throw noBundle();
    const missing = row.packages.find(({ id }) => !row!.fetched.some((each) => each.id === id));
    if (missing) throw invalid(`${missing.filename} is missing from the bundle`);
    if (!(await installFetched(ctx, row, "planned", sql`TRUE`, user.credential.kind)))
      throw new AppError("conflict", noRoom);
    return downloadView({ ...row, state: "done" });
  } catch (error) {
    // A trigger drops what was stored.
    if (row) await ctx.db.delete(packageDownloads).where(eq(packageDownloads.id, row.id));
    throw error;
  }
}

async function insertRow(ctx: Context, user: User, organizationId: string, pins: string): Promise<Row> {
  const { data } = bundlePins.safeParse(tryParseJson(pins));
  if (!data) throw noBundle();
  const row = newDownload(ctx, user, {
    organizationId,
    wanted: data.packages.map(({ name }) => name),
    packages: data.packages.map((each) => ({
      ...each,
      id: newId(),
      url: "",
      summary: null,
      needed_by: [],
      replaces: null,
      looks_like: null,
    })),
    present: [],
  });
  await ctx.db
    .insert(packageDownloads)
    .values(row)
    .catch((error: unknown) => {
      if (isForeignKeyViolation(error)) throw unknownOrganization();
      throw error;
    });
  return row;
}

function noBundle(): AppError {
  return invalid("The file is not a bundle of packages, or it is damaged: make one with npm run packages -- bundle");
}

function invalid(message: string): AppError {
  return new AppError("plugin_invalid", message, { param: "file", issues: [{ path: "file", message }] });
}
