import { and, eq, sql, type SQL } from "drizzle-orm";
import { hasPermission, requirePermission, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { checkReferences, uniqueReferences } from "../../documents/knowledge/models/references.ts";
import { AppError } from "../../errors.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { checkGrants } from "../../people/grants/grants.ts";
import type { GrantView } from "../../people/grants/schema.ts";
import { setGrants } from "../../people/grants/set-grants.ts";
import { announceList } from "../conversations/announce-chats.ts";
import { shallowMerge } from "../conversations/write-messages.ts";
import { unknownFolder } from "./folder-of-chat.ts";
import { keptJson, readBack, viewOf } from "./folder-row.ts";
import { depthOf, heightOf, isInside, isNameFree, setReferences } from "./folder-statements.ts";
import { readableFolders } from "./readable-folders.ts";
import {
  maxFolderDepth,
  maxFolders,
  type FolderChange,
  type FolderData,
  type FolderView,
  type NewFolder,
} from "./schema.ts";
import { folders } from "./tables.ts";

/** A person who may use folders. @throws AppError `forbidden` */
export function requireFolders(ctx: Context): User {
  return requirePermission(ctx, "features.folders");
}

const nameTaken = () => new AppError("bad_request", "There is already a folder with this name here", { param: "name" });
const tooDeep = () =>
  new AppError("bad_request", `Folders can be at most ${maxFolderDepth} deep`, { param: "parent_id" });

/** @throws AppError `not_found` for a folder that is unknown or that the caller cannot read. */
export async function getFolder(ctx: Context, id: string): Promise<FolderView> {
  const user = requireFolders(ctx);
  const view = viewOf(await ctx.db.batch(readBack(ctx, user, id)));
  if (!view) throw unknownFolder();
  return view;
}

/**
 * The folder, if the caller may change it, or is its owner.
 * @throws AppError `not_found`; `forbidden`
 */
export async function findFolder(ctx: Context, id: string, as: "writer" | "owner"): Promise<FolderView> {
  const found = await getFolder(ctx, id);
  if (as === "writer" ? found.write_access : found.user_id === requireFolders(ctx).id) return found;
  const what = as === "writer" ? "change it" : "move, share or delete it";
  throw new AppError("forbidden", `The folder ${found.name} is shared with you, but you cannot ${what}`);
}

/**
 * Makes a folder: at the top for the caller, in another folder for that one's owner.
 * @throws AppError `not_found` for an unknown parent, `forbidden` for one that the caller may only read; `bad_request` for a
 *   name that is taken there, or too deep a place; `limit_reached`; `validation_failed` for files that the caller cannot read
 */
export async function createFolder(ctx: Context, input: NewFolder): Promise<FolderView> {
  const user = requireFolders(ctx);
  const parent = input.parent_id ? await findParent(ctx, input.parent_id) : undefined;
  const ownerId = parent?.user_id ?? user.id;
  const name = cleanText(input.name);
  const files = await checkData(ctx, user, input.data, "");
  const id = newId();
  const now = ctx.now();
  const parentId = parent?.id ?? null;
  const isFree = isNameFree(sql`${ownerId}`, sql`${parentId}`, sql`${name}`, id);
  const hasRoom = sql`(SELECT count(*) FROM folders WHERE user_id = ${ownerId}) < ${maxFolders}`;
  const isShallow = sql`${depthOf(parentId)} < ${maxFolderDepth}`;
  const mayWrite =
    parentId === null
      ? sql`TRUE`
      : sql`${parentId} IN ${readableFolders(user, "write")}
          AND EXISTS (SELECT 1 FROM folders WHERE id = ${parentId} AND user_id = ${ownerId})`;
  const results = await runBatch(ctx.db, [
    insertWhere(
      ctx.db,
      folders,
      {
        id,
        userId: ownerId,
        organizationId:
          parentId === null ? user.organizationId : sql`(SELECT organization_id FROM folders WHERE id = ${parentId})`,
        parentId,
        name,
        instructions: cleanText(input.data?.system_prompt ?? ""),
        modelIds: input.data?.model_ids ?? [],
        meta: sql`${keptJson(input.data, input.meta) ?? "{}"}`,
        isExpanded: false,
        createdAt: now,
        updatedAt: now,
      },
      sql`${mayWrite} AND ${isFree} AND ${isShallow} AND ${hasRoom}`,
    ),
    auditRowIf(ctx, {
      action: "folder.created",
      targetType: "folder",
      targetId: id,
      organizationId: homeOf(id),
      detail: { name, parent_id: parentId },
    }),
    ...(files ? setReferences(ctx, user, id, files, isWritable(user, id)) : []),
    ctx.db.all(sql`SELECT ${isFree} AS is_free, ${isShallow} AS is_shallow, ${hasRoom} AS has_room`),
    ...readBack(ctx, user, id),
  ]);
  const view = viewOf(results.slice(-4));
  if (!view) {
    const [[why]] = results.slice(-5) as [[{ is_free: 0 | 1; is_shallow: 0 | 1; has_room: 0 | 1 }]];
    if (!why.is_free) throw nameTaken();
    if (!why.is_shallow) throw tooDeep();
    if (!why.has_room) throw new AppError("limit_reached", `There can be at most ${maxFolders} folders`);
    throw unknownFolder("parent_id");
  }
  announceFolders(ctx, view);
  return view;
}

async function findParent(ctx: Context, id: string): Promise<FolderView> {
  try {
    return await findFolder(ctx, id, "writer");
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") throw unknownFolder("parent_id");
    throw error;
  }
}

/**
 * Changes what is given; keys of `data` and `meta` are replaced one by one.
 * @throws AppError `not_found`, `forbidden`; `bad_request` for a name that is taken; `validation_failed`
 */
export async function changeFolder(ctx: Context, id: string, change: FolderChange): Promise<FolderView> {
  const user = requireFolders(ctx);
  const before = await findFolder(ctx, id, "writer");
  const files = await checkData(ctx, user, change.data, before.data.system_prompt);
  const name = change.name === undefined || change.name === null ? undefined : cleanText(change.name);
  const { system_prompt: instructions, model_ids: modelIds } = change.data ?? {};
  const kept = keptJson(change.data, change.meta);
  const its = (column: string) => sql`(SELECT ${sql.raw(column)} FROM folders WHERE id = ${id})`;
  const isFree = name === undefined ? sql`TRUE` : isNameFree(its("user_id"), its("parent_id"), sql`${name}`, id);
  const fields = [
    ...(name === undefined || name === before.name ? [] : ["name"]),
    ...Object.keys(change.data ?? {}),
    ...(change.meta ? ["meta"] : []),
  ];
  const results = await runBatch(ctx.db, [
    ctx.db
      .update(folders)
      .set({
        updatedAt: sql`max(${ctx.now()}, ${folders.updatedAt})`,
        ...(name === undefined ? {} : { name }),
        ...(instructions === undefined ? {} : { instructions: cleanText(instructions ?? "") }),
        ...(modelIds === undefined ? {} : { modelIds: modelIds ?? [] }),
        ...(kept === undefined ? {} : { meta: shallowMerge(sql`folders.meta`, sql`${kept}`) }),
      })
      .where(and(eq(folders.id, id), isWritable(user, id), isFree))
      .returning({ id: folders.id }),
    auditRowIf(ctx, {
      action: "folder.updated",
      targetType: "folder",
      targetId: id,
      organizationId: homeOf(id),
      detail: { name: before.name, fields, ...(name === undefined ? {} : { new_name: name }) },
    }),
    ...(files ? setReferences(ctx, user, id, files, sql`${isWritable(user, id)} AND ${isFree}`) : []),
    ...readBack(ctx, user, id),
  ]);
  const view = viewOf(results.slice(-4));
  if (!view?.write_access) throw unknownFolder();
  if ((results[0] as unknown[]).length === 0) throw nameTaken();
  announceFolders(ctx, view);
  return view;
}

/**
 * Moves the caller's folder into another folder of theirs, or to the top.
 * @throws AppError `not_found`, `forbidden`; `bad_request` for a folder inside itself, too deep a place, or a taken name
 */
export async function moveFolder(ctx: Context, id: string, parentId: string | null): Promise<FolderView> {
  const user = requireFolders(ctx);
  const before = await findFolder(ctx, id, "owner");
  const isOwn =
    parentId === null
      ? sql`TRUE`
      : sql`EXISTS (SELECT 1 FROM folders p WHERE p.id = ${parentId} AND p.user_id = ${user.id})`;
  const isOutside = parentId === null ? sql`TRUE` : sql`NOT (${isInside(parentId, id)})`;
  const isShallow = sql`${depthOf(parentId)} + ${heightOf(id)} <= ${maxFolderDepth}`;
  const isFree = isNameFree(sql`${user.id}`, sql`${parentId}`, sql`(SELECT name FROM folders WHERE id = ${id})`, id);
  const results = await runBatch(ctx.db, [
    // Asked before: what is true afterwards says nothing.
    ctx.db.all(
      sql`SELECT ${isOwn} AS is_own, ${isOutside} AS is_outside, ${isShallow} AS is_shallow, ${isFree} AS is_free`,
    ),
    ctx.db
      .update(folders)
      .set({ parentId, updatedAt: sql`max(${ctx.now()}, ${folders.updatedAt})` })
      .where(
        sql`${folders.id} = ${id} AND ${folders.userId} = ${user.id} AND ${isOwn} AND ${isOutside} AND ${isShallow} AND ${isFree}`,
      )
      .returning({ id: folders.id }),
    auditRowIf(ctx, {
      action: "folder.moved",
      targetType: "folder",
      targetId: id,
      organizationId: homeOf(id),
      detail: { name: before.name, from: before.parent_id, to: parentId },
    }),
    ...readBack(ctx, user, id),
  ]);
  const [[why], moved] = results as [
    [{ is_own: 0 | 1; is_outside: 0 | 1; is_shallow: 0 | 1; is_free: 0 | 1 }],
    { id: string }[],
  ];
  const view = viewOf(results.slice(-4));
  if (!view) throw unknownFolder();
  if (moved.length === 0) {
    if (!why.is_own) throw unknownFolder("parent_id");
    if (!why.is_outside)
      throw new AppError("bad_request", "A folder cannot be moved into itself or a folder in it", {
        param: "parent_id",
      });
    throw why.is_shallow ? nameTaken() : tooDeep();
  }
  announceFolders(ctx, view);
  return view;
}

/**
 * Notes whether its owner sees what is in it; for others nothing is kept.
 * @throws AppError `not_found`
 */
export async function expandFolder(ctx: Context, id: string, isExpanded: boolean): Promise<FolderView> {
  const user = requireFolders(ctx);
  const [, ...results] = await ctx.db.batch([
    ctx.db
      .update(folders)
      .set({ isExpanded })
      .where(and(eq(folders.id, id), eq(folders.userId, user.id))),
    ...readBack(ctx, user, id),
  ]);
  const view = viewOf(results);
  if (!view) throw unknownFolder();
  return view;
}

/**
 * Shares a folder of the caller's.
 * @throws AppError `not_found`, `forbidden`, `validation_failed`
 */
export async function shareFolder(ctx: Context, id: string, given: GrantView[]): Promise<FolderView> {
  const user = requireFolders(ctx);
  const before = await findFolder(ctx, id, "owner");
  await checkGrants(ctx, user, "folder", given, before.access_grants);
  const isOwn = sql`EXISTS (SELECT 1 FROM folders WHERE id = ${id} AND user_id = ${user.id})`;
  const results = await runBatch(ctx.db, [
    ctx.db
      .update(folders)
      .set({ updatedAt: sql`max(${ctx.now()}, ${folders.updatedAt})` })
      .where(and(eq(folders.id, id), eq(folders.userId, user.id))),
    auditRowIf(ctx, {
      action: "folder.access_updated",
      targetType: "folder",
      targetId: id,
      organizationId: homeOf(id),
      detail: { name: before.name, access_grants: given },
    }),
    ...setGrants(ctx, "folder", id, given, isOwn),
    ...readBack(ctx, user, id),
  ]);
  const view = viewOf(results.slice(-4));
  if (!view) throw unknownFolder();
  announceFolders(ctx, view);
  return view;
}

/** The files that are said, each once. @throws AppError `forbidden`; `validation_failed` for what the caller cannot read */
async function checkData(ctx: Context, user: User, data: FolderData | null | undefined, instructions: string) {
  const { system_prompt: said, files } = data ?? {};
  if (said && said !== instructions && !hasPermission(user, "chat.system_prompt"))
    throw new AppError(
      "forbidden",
      "Instructions need the permission chat.system_prompt. Ask an administrator for it",
      {
        param: "data.system_prompt",
      },
    );
  if (files === undefined) return undefined;
  const references = uniqueReferences(files ?? []);
  await checkReferences(ctx, user, references, [], "data.files");
  return references;
}

function isWritable(user: User, id: string): SQL {
  return sql`${id} IN ${readableFolders(user, "write")}`;
}

/** In whose log a change of the folder stands. */
export function homeOf(id: string): SQL {
  return sql`(SELECT organization_id FROM folders WHERE id = ${id})`;
}

/** Tells the tabs of its owner, and of who changed it. */
function announceFolders(ctx: Context, { user_id: ownerId }: FolderView): void {
  const user = requireFolders(ctx);
  announceList(ctx, user.id);
  if (ownerId !== user.id) announceList(ctx, ownerId);
}
