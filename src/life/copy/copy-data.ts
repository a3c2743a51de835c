import { sql } from "drizzle-orm";
import { requireAdmin, requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { fileKey } from "../../documents/files/blob-keys.ts";
import { AppError } from "../../errors.ts";
import { maxZipBytes, maxZipFiles, type ZipEntry, zipStream } from "../../lib/zip-stream.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { lastingContext } from "../../people/auth/lasting-context.ts";
import { getGroupsOf, getOwnGroups } from "../../people/users/own-groups.ts";
import {
  type ExportManifest,
  exportFormat,
  exportVersion,
  type KindEntry,
  manifestName,
} from "../../shared/moving-in/parley/manifest.ts";
import { chatKind } from "../export/chat-records.ts";
import { fileKind } from "../export/document-sources.ts";
import { sourceOf } from "../export/exports.ts";
import { allRecords } from "../export/read-records.ts";
import { kindsOf } from "../export/record-kinds.ts";
import type { Extent } from "../export/record-source.ts";
import { holdCopy } from "./hold-copy.ts";
import { jsonArray, readSection, textBody } from "./read-sections.ts";
import { readme } from "./readme.ts";
import { RecordLines } from "./record-lines.ts";
import { sectionsOf } from "./sections.ts";
import { ZipFiles } from "./zip-files.ts";

/** Room for everything that is not the bytes of a file. */
const roomForRows = 1_000_000_000;

interface Profile {
  id: string;
  organization_id: string;
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
    SELECT id, organization_id, json_object('id', id, 'name', name, 'email', email, 'kind', kind, 'role', role,
      'active', active, 'organization', (SELECT o.name FROM organizations o WHERE o.id = users.organization_id),
      'organization_role', organization_role, 'bio', bio, 'gender', gender, 'date_of_birth', date_of_birth, 'timezone', timezone,
      'status_emoji', status_emoji, 'status_message', status_message, 'status_expires_at', status_expires_at,
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
  const current = lastingContext(ctx);
  // A stolen session that was ended must not go on reading.
  const still = async () => {
    await renew();
    const caller = await current();
    if (caller.actor.kind === "user" && caller.actor.id !== profile.id) requireAdmin(caller);
  };
  yield { path: "README.txt", at, body: textBody(readme) };
  const { actor } = ctx;
  const own = actor.kind === "user" && actor.id === profile.id;
  const groups = own ? await getOwnGroups(ctx) : await getGroupsOf(ctx, profile.id);
  const document = { ...(JSON.parse(profile.document) as object), groups: groups.map(({ name }) => name) };
  yield { path: "profile.json", at, body: textBody(`${JSON.stringify(document, null, 2)}\n`) };
  const extent: Extent = { personId: profile.id, withSecrets: false };
  const entries: KindEntry[] = [];
  const files = new ZipFiles();
  // Chats first: who imports only these reads no further.
  const kinds = kindsOf(extent);
  for (const kind of [
    ...kinds.filter((each) => each.kind === chatKind),
    ...kinds.filter((each) => each.kind !== chatKind),
  ]) {
    const lines = new RecordLines(kind.kind);
    const records = watched(allRecords(ctx, extent, kind), still);
    yield { path: lines.entry.file, at, body: lines.write(kind.kind === fileKind ? files.named(records) : records) };
    entries.push(lines.entry);
  }
  const counts: Record<string, number> = {};
  for (const section of sectionsOf(profile.id)) {
    counts[section.name] = 0;
    const body = jsonArray(watched(readSection(ctx, section), still), () => counts[section.name]!++);
    yield { path: `more/${section.name}.json`, at, body };
  }
  yield* fileEntries(ctx, files, still);
  const manifest = {
    format: exportFormat,
    version: exportVersion,
    source: sourceOf(profile.id),
    scope: "person",
    secrets: false,
    created_at: at,
    complete: true,
    kinds: kinds.map(({ kind }) => entries.find((entry) => entry.kind === kind)!),
    left_out: [],
    person: profile.id,
    counts,
    file_contents: files.written,
    files_left_out: files.leftOut,
  } satisfies ExportManifest & Record<string, unknown>;
  yield { path: manifestName, at, body: textBody(`${JSON.stringify(manifest, null, 2)}\n`) };
}

async function* watched<T>(items: AsyncIterable<T>, still: () => Promise<void>): AsyncGenerator<T> {
  for await (const item of items) {
    await still();
    yield item;
  }
}

/** The bytes of all files, as far as a zip file can hold them. */
async function* fileEntries(ctx: Context, files: ZipFiles, still: () => Promise<void>): AsyncGenerator<ZipEntry> {
  let bytes = 0;
  for (const { id, path, size, at } of files.list) {
    await still();
    if (bytes + size > maxZipBytes - roomForRows || files.written >= maxZipFiles - 100) {
      files.leftOut.push(id);
      continue;
    }
    const found = await ctx.blobs.get(fileKey(id));
    // Deleted since its record was read.
    if (!found) continue;
    bytes += size;
    files.written += 1;
    yield { path, at, body: watchedBytes(found.body, still) };
  }
}

/** A large file takes longer than the place is kept. */
async function* watchedBytes(body: AsyncIterable<Uint8Array>, still: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    await still();
    yield piece;
  }
}
