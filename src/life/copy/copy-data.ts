import { sql } from "drizzle-orm";
import { requireAdmin, requirePermission, type User } from "../../access.ts";
import { exportChats } from "../../chat/conversations/list-chats.ts";
import { type Context, contextWith } from "../../context.ts";
import { fileKey } from "../../documents/files/blob-keys.ts";
import { AppError } from "../../errors.ts";
import { maxZipBytes, maxZipFiles, type ZipEntry, zipStream } from "../../lib/zip-stream.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { lastingContext } from "../../people/auth/lasting-context.ts";
import { allPermissions } from "../../people/permissions.ts";
import { getGroupsOf, getOwnGroups } from "../../people/users/own-groups.ts";
import { holdCopy } from "./hold-copy.ts";
import { jsonArray, readSection, textBody } from "./read-sections.ts";
import { readme } from "./readme.ts";
import { sectionsOf } from "./sections.ts";

/** Files that are looked up at once. */
const pageLength = 100;
/** Room for everything that is not the bytes of a file. */
const roomForRows = 1_000_000_000;

interface Profile {
  id: string;
  organization_id: string;
  organization_role: "admin" | "member";
  name: string;
  email: string;
  document: string;
}

/**
 * Everything that there is of the caller, as a zip file that is written while it is read.
 * @throws AppError `forbidden` without the permission to export chats; `conflict` during another copy
 */
export async function copyOwnData(ctx: Context): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  return copyData(ctx, requirePermission(ctx, "chat.export").id);
}

/** The same of another person. @throws AppError `forbidden`, `not_found`, `conflict` */
export async function copyDataOf(
  ctx: Context,
  userId: string,
): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  requireAdmin(ctx);
  return copyData(ctx, userId);
}

async function copyData(ctx: Context, userId: string): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  const [profile] = await ctx.db.all<Profile>(sql`
    SELECT id, organization_id, organization_role, name, email, json_object('id', id, 'name', name, 'email', email, 'kind', kind, 'role', role,
      'active', active, 'organization', (SELECT o.name FROM organizations o WHERE o.id = users.organization_id),
      'organization_role', organization_role, 'bio', bio, 'gender', gender, 'date_of_birth', date_of_birth, 'timezone', timezone,
      'picture', (SELECT p.url FROM profile_images p WHERE p.user_id = users.id), 'settings', json(settings), 'info', json(info),
      'user_name', user_name, 'emails', json(emails), 'last_active_at', last_active_at, 'created_at', created_at) AS document
    FROM users WHERE id = ${userId}`);
  if (!profile) throw new AppError("not_found", "No such person");
  const lease = await holdCopy(ctx, userId);
  await auditRow(ctx, {
    action: "person.data_copied",
    targetType: "user",
    targetId: userId,
    organizationId: profile.organization_id,
  });
  const entries = entriesOf(ctx, profile, lease.renew);
  return {
    name: `parley-data-${new Date(ctx.now() * 1000).toISOString().slice(0, 10)}`,
    body: zipStream(entries, lease.end),
  };
}

async function* entriesOf(ctx: Context, profile: Profile, renew: () => Promise<void>): AsyncGenerator<ZipEntry> {
  const at = ctx.now();
  const counts: Record<string, number> = {};
  const current = lastingContext(ctx);
  // A stolen session that was ended must not go on reading.
  const still = async () => {
    await renew();
    const caller = await current();
    if (caller.actor.kind === "user" && caller.actor.id !== profile.id) requireAdmin(caller);
  };
  const list = (name: string, items: AsyncIterable<string>): ZipEntry => {
    counts[name] = 0;
    return { path: `${name}.json`, at, body: jsonArray(watched(items, still), () => counts[name]!++) };
  };
  yield { path: "README.txt", at, body: textBody(readme) };
  const { actor } = ctx;
  const own = actor.kind === "user" && actor.id === profile.id;
  const groups = own ? await getOwnGroups(ctx) : await getGroupsOf(ctx, profile.id);
  const document = { ...(JSON.parse(profile.document) as object), groups: groups.map(({ name }) => name) };
  yield { path: "profile.json", at, body: textBody(`${JSON.stringify(document, null, 2)}\n`) };
  yield list("chats", chatsOf(contextWith(ctx, { actor: subjectOf(ctx, profile) })));
  for (const section of sectionsOf(profile.id)) yield list(section.name, readSection(ctx, section));
  const left: string[] = [];
  yield* fileEntries(ctx, profile.id, still, counts, left);
  const manifest = { made_at: at, person: profile.id, counts, files_left_out: left };
  yield { path: "manifest.json", at, body: textBody(`${JSON.stringify(manifest, null, 2)}\n`) };
}

async function* watched(items: AsyncIterable<string>, still: () => Promise<void>): AsyncGenerator<string> {
  for await (const item of items) {
    await still();
    yield item;
  }
}

async function* chatsOf(ctx: Context): AsyncGenerator<string> {
  for await (const chat of exportChats(ctx, "all")) yield JSON.stringify(chat);
}

/** The person whose data it is, to read their chats. */
function subjectOf(ctx: Context, profile: Profile): User {
  const { actor } = ctx;
  if (actor.kind !== "user") throw new AppError("not_signed_in", "Sign in first");
  return {
    ...actor,
    id: profile.id,
    name: profile.name,
    email: profile.email,
    role: "user",
    organizationId: profile.organization_id,
    organizationRole: profile.organization_role,
    groupIds: [],
    permissions: allPermissions,
  };
}

/** The bytes of all files, as far as a zip file can hold them. @param left gets the ids of the others */
async function* fileEntries(
  ctx: Context,
  userId: string,
  still: () => Promise<void>,
  counts: Record<string, number>,
  left: string[],
): AsyncGenerator<ZipEntry> {
  counts["file_contents"] = 0;
  let bytes = 0;
  for (let after = ""; ;) {
    const rows = await ctx.db.all<{ id: string; filename: string; size: number; at: number }>(sql`
      SELECT id, filename, size, created_at AS at FROM files WHERE user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${pageLength}`);
    for (const { id, filename, size, at } of rows) {
      await still();
      if (bytes + size > maxZipBytes - roomForRows || counts["file_contents"] >= maxZipFiles - 100) {
        left.push(id);
        continue;
      }
      const found = await ctx.blobs.get(fileKey(id));
      // Deleted since its page was read.
      if (!found) continue;
      bytes += size;
      counts["file_contents"]++;
      yield { path: `files/${filename}`, at, body: watchedBytes(found.body, still) };
    }
    if (rows.length < pageLength) return;
    after = rows.at(-1)!.id;
  }
}

/** A large file takes longer than the place is kept. */
async function* watchedBytes(body: AsyncIterable<Uint8Array>, still: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    await still();
    yield piece;
  }
}
