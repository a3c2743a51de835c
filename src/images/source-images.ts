import { sql } from "drizzle-orm";
import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { fileKey } from "../documents/files/blob-keys.ts";
import { readableFile } from "../documents/knowledge/readable.ts";
import { AppError } from "../errors.ts";
import { readBytesUpTo } from "../http/read-up-to.ts";
import { fromBase64 } from "../lib/base64.ts";
import { pictureTypeOf } from "../lib/picture-type.ts";

/** A picture that is to be changed. */
export interface SourceImage {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** Bytes of one of them. */
const maxBytes = 10_000_000;

/**
 * The pictures at these addresses: files that the caller may read now, or data URLs. Nothing is fetched from elsewhere.
 * @throws AppError `validation_failed`, `not_found`
 */
export async function loadSourceImages(ctx: Context, addresses: readonly string[]): Promise<SourceImage[]> {
  const ids = addresses.flatMap((address) => fileIdOf(ctx, address) ?? []);
  const known = await readableIds(ctx, ids);
  const images: SourceImage[] = [];
  for (const address of addresses) {
    const id = fileIdOf(ctx, address);
    if (id === undefined && !address.startsWith("data:"))
      throw wrong("expected a data URL, or a file such as /api/v1/files/<id>/content");
    if (id !== undefined && !known.has(id)) throw new AppError("not_found", "No such file", { param: "image" });
    const bytes = id === undefined ? bytesOf(address) : await load(ctx, id);
    if (!bytes) throw wrong(`pictures can have at most ${maxBytes / 1e6} MB`);
    const contentType = pictureTypeOf(bytes.subarray(0, 32));
    if (contentType === undefined) throw wrong("not a PNG, JPEG, GIF, WebP or AVIF picture");
    images.push({ bytes, contentType });
  }
  return images;
}

/** The id of the file of the service that an address names. */
export function fileIdOf({ origin }: Pick<Context, "origin">, address: string): string | undefined {
  const path = address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  return /^(?:\/api\/v1\/files\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/content)?$/i.exec(path)?.[1];
}

async function readableIds(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await ctx.db.all<{ id: string }>(sql`
    SELECT files.id FROM files
    WHERE files.id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${readableFile(requireUser(ctx))}`);
  return new Set(rows.map(({ id }) => id));
}

async function load(ctx: Context, id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const stored = await ctx.blobs.get(fileKey(id));
  if (!stored) throw new AppError("not_found", "No such file", { param: "image" });
  if (stored.size > maxBytes) {
    await stored.body.cancel();
    return undefined;
  }
  return readBytesUpTo(stored.body, maxBytes);
}

function bytesOf(address: string): Uint8Array<ArrayBuffer> | undefined {
  const base64 = /^data:[^,]{0,100};base64,(.*)$/s.exec(address)?.[1];
  if (base64 === undefined) throw wrong("expected base64 in the data URL");
  if (base64.length > (maxBytes * 4) / 3) return undefined;
  try {
    return fromBase64(base64);
  } catch (cause) {
    throw wrong("invalid base64", cause);
  }
}

function wrong(message: string, cause?: unknown): AppError {
  return new AppError("validation_failed", `image: ${message}`, {
    param: "image",
    issues: [{ path: "image", message }],
    cause,
  });
}
