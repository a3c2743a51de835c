import { eq } from "drizzle-orm";
import type * as z from "zod";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { cleanName } from "../../documents/files/clean-name.ts";
import { files, uploads } from "../../documents/files/tables.ts";
import { type FileOwner, forgetFile, holdPlace, takeFile } from "../../documents/files/upload/arriving-file.ts";
import { storeFile } from "../../documents/files/upload/store-file.ts";
import { takeUploadPlace } from "../../documents/files/upload/upload-line.ts";
import { fileLimit } from "../../documents/files/upload/upload-rules.ts";
import { AppError } from "../../errors.ts";
import { drain } from "../../http/body.ts";
import { newId } from "../../lib/id.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { users } from "../../people/users/tables.ts";
import { ImportMap, isHere, type MapItem, storeItem } from "../import-map.ts";
import { reasonOf } from "../import-records.ts";
import { requireImport } from "../imports.ts";
import type { fileQuery, RecordResult } from "../schema.ts";

const kind = "file";
/** What an id may be to be kept: object storage knows the file by it. */
const keepable = /^[\w-]{1,100}$/;
/** Nothing is wrong with the file: it can be sent again. */
const forLater: ReadonlySet<string> = new Set(["too_many_requests", "conflict"]);
/** What has no text that could be searched. */
const withoutText = /^(image|audio|video)\//;

/**
 * Imports a file with its bytes, which are read as they arrive; one that was brought before is not read again. An interrupted one leaves
 * nothing.
 * @returns what became of it: `failed` with the reason for one that is too large, or whose owner has no room for it
 * @throws AppError `forbidden`; `not_found` for an unknown import; what can be tried again later: `too_many_requests`, `conflict`, `disk_full` and its kin
 */
export async function importFile(
  ctx: Context,
  importId: string,
  id: string,
  query: z.infer<typeof fileQuery>,
  request: Request,
): Promise<RecordResult> {
  requireAdmin(ctx);
  const body = request.body?.getReader();
  const give = async (item: MapItem, earlier = false): Promise<RecordResult> => {
    if (!request.headers.has("expect")) await drain(body);
    return { kind, id, state: item.state, earlier, target_id: item.targetId, notes: item.notes };
  };
  const keep = async (item: MapItem): Promise<RecordResult> => {
    await runBatch(ctx.db, [storeItem(ctx, importId, { kind, id }, item)]);
    return give(item);
  };
  await requireImport(ctx, importId);
  const map = await ImportMap.load(ctx, importId, [{ kind, id }], [{ kind: "person", id: query.person_id }], false);
  const before = map.item(kind, id);
  if (before && isHere(before.state)) return give(before, true);
  const ownerId = map.find("person", query.person_id);
  const owner = ownerId === undefined ? undefined : await findOwner(ctx, ownerId);
  if (!owner) return keep({ state: "left_out", targetId: null, notes: ["Its owner wasn't imported"] });
  const target = await freeId(ctx, owner, id);
  const notes = [
    ...(target === id ? [] : [`Its id was taken or isn't allowed: it is ${target} here`]),
    ...(query.note === undefined ? [] : [query.note]),
  ];
  const item: MapItem = { state: notes.length > 0 ? "changed" : "created", targetId: target, notes };
  try {
    await take(ctx, owner, { importId, id, target, query, item, body, request });
    return await give(item);
  } catch (error) {
    if (error instanceof AppError && (forLater.has(error.code) || error.status >= 500)) throw error;
    const reason = reasonOf(error);
    return keep({ state: "failed", targetId: null, notes: [reason] });
  }
}

interface Arriving {
  importId: string;
  id: string;
  target: string;
  query: z.infer<typeof fileQuery>;
  item: MapItem;
  body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  request: Request;
}

async function take(ctx: Context, owner: FileOwner, arriving: Arriving): Promise<void> {
  const { importId, id, target, query, item, body, request } = arriving;
  const length = Number(request.headers.get("content-length") ?? 0);
  const limit = fileLimit(ctx.settings);
  if (length > limit.bytes) throw limit.refusal();
  const turn = await takeUploadPlace(ctx.environment, requireAdmin(ctx).id, request.signal);
  let isHeld = false;
  try {
    // People's own limit of files that wait to be read does not hold: there is a whole service to be read.
    const place = holdPlace(ctx, owner, { expected: length, process: false, id: target });
    await place.known;
    isHeld = true;
    const said = { filename: cleanName(query.name), contentType: query.content_type ?? "application/octet-stream" };
    const arrived = await takeFile(ctx, owner, place, said, piecesOf(body), length > 0 ? length : undefined);
    await storeFile(ctx, owner, {
      arrived,
      meta: metaOf(query.meta),
      process: !withoutText.test(arrived.contentType),
      target: undefined,
      createdAt: query.created_at,
      also: (exists) => [storeItem(ctx, importId, { kind, id }, item, exists)],
    });
  } catch (error) {
    if (isHeld) await forgetFile(ctx, target);
    throw error;
  } finally {
    turn.free();
  }
}

/** What is kept with it, if that is an object. */
function metaOf(text: string | undefined): Record<string, unknown> {
  const value = text === undefined ? undefined : tryParseJson(text);
  return isRecord(value) ? value : {};
}

async function* piecesOf(body: ReadableStreamDefaultReader<Uint8Array> | undefined): AsyncGenerator<Uint8Array> {
  if (!body) return;
  for (let piece = await body.read(); !piece.done; piece = await body.read()) yield piece.value;
}

async function findOwner(ctx: Context, id: string): Promise<FileOwner | undefined> {
  const [owner] = await ctx.db
    .select({ id: users.id, organizationId: users.organizationId })
    .from(users)
    .where(eq(users.id, id));
  return owner;
}

/** Its own id, where that can be kept. What an interrupted import of it has left is taken away. */
async function freeId(ctx: Context, owner: FileOwner, id: string): Promise<string> {
  if (!keepable.test(id)) return newId();
  const [taken, [begun]] = await ctx.db.batch([
    ctx.db.select({ id: files.id }).from(files).where(eq(files.id, id)),
    ctx.db.select({ userId: uploads.userId }).from(uploads).where(eq(uploads.id, id)),
  ]);
  if (taken.length > 0 || (begun && begun.userId !== owner.id)) return newId();
  if (begun) await forgetFile(ctx, id);
  return id;
}
