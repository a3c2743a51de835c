import type { Context } from "../../../context.ts";
import { findWritable } from "../knowledge.ts";
import { directoryPaths, heldFiles, type HeldFile } from "./base-content.ts";
import type { DiffBody, PeerDiff, SyncDiff } from "./schema.ts";

/** Files to take out that are named in one answer. */
const maxRemoved = 20_000;

interface Entry {
  /** As the tool names it. */
  path: string;
  hash: string;
}

/** What a base holds, seen from a manifest. */
interface Compared {
  /** By content. */
  linked: Map<string, HeldFile>;
  waiting: Map<string, HeldFile>;
  failed: Map<string, HeldFile>;
  /** By path, where the content is another one: the newest. */
  stale: Map<string, HeldFile>;
  gone: { file: HeldFile; path: string | undefined }[];
  more: boolean;
}

/**
 * What a sync tool has to send and to take away for a base to hold what is at the source. Files are the same by their content,
 * wherever they lie.
 * @throws AppError `not_found`, `forbidden`
 */
export async function diffKnowledge(ctx: Context, id: string, body: DiffBody): Promise<SyncDiff | PeerDiff> {
  await findWritable(ctx, id);
  const paths = await directoryPaths(ctx, id);
  if ("manifest" in body) return peerDiff(ctx, id, body.manifest, paths);
  const entries: Entry[] = [...new Map(body.files.map((file) => [file.path, file])).values()];
  // What came otherwise, from people, is none of the tool's.
  const held = await compare(ctx, id, entries, (file) => file.path ?? undefined);
  const diff: SyncDiff = {
    upload: [],
    unchanged: [],
    remove: held.gone.map(({ file, path }) => ({ file_id: file.fileId, path: path! })),
    more: held.more,
    pending: [],
    failed: [],
    duplicates: [],
  };
  const sent = new Map<string, string>();
  for (const { path, hash } of entries) {
    const there = held.linked.get(hash);
    const coming = held.waiting.get(hash);
    const broken = held.failed.get(hash);
    const twin = sent.get(hash);
    if (there) diff.unchanged.push({ path, file_id: there.fileId });
    else if (coming) diff.pending.push({ path, file_id: coming.fileId });
    else if (broken)
      diff.failed.push({
        path,
        file_id: broken.fileId,
        code: broken.state === "stored" ? "file_not_processed" : (broken.errorCode ?? "internal_error"),
        error: broken.error ?? "",
      });
    else if (twin !== undefined) diff.duplicates.push({ path, of: twin });
    else {
      diff.upload.push(path);
      sent.set(hash, path);
    }
  }
  return diff;
}

/** The peer's tools put files into directories and name no other place; every file of the base counts. */
async function peerDiff(
  ctx: Context,
  id: string,
  manifest: Extract<DiffBody, { manifest: unknown }>["manifest"],
  paths: ReadonlyMap<string, string>,
): Promise<PeerDiff> {
  const key = (directory: string, filename: string) => `${directory}/${filename}`;
  const entries = manifest.map(({ path, filename, checksum }) => ({ path: key(path, filename), hash: checksum }));
  const held = await compare(ctx, id, entries, (file) =>
    key(file.directoryId === null ? "" : (paths.get(file.directoryId) ?? ""), file.filename),
  );
  const diff: PeerDiff = {
    added: [],
    modified: [],
    deleted: [],
    mkdir: [],
    rmdir: [],
    unmodified_count: 0,
    directory_map: Object.fromEntries([...paths].map(([directory, path]) => [path, directory])),
  };
  const replaced = new Set<string>();
  for (const { path, filename, checksum } of manifest) {
    const stale = held.stale.get(key(path, filename)) ?? held.failed.get(checksum);
    if (held.linked.has(checksum) || held.waiting.has(checksum)) diff.unmodified_count++;
    else if (stale && !replaced.has(stale.fileId)) {
      replaced.add(stale.fileId);
      diff.modified.push({ filename, path, stale_file_id: stale.fileId });
    } else diff.added.push({ filename, path });
  }
  for (const { file } of held.gone)
    if (!replaced.has(file.fileId)) diff.deleted.push({ file_id: file.fileId, filename: file.filename });
  const needed = new Set(manifest.flatMap(({ path }) => prefixesOf(path)));
  const known = new Set(paths.values());
  const depth = (path: string) => path.split("/").length;
  diff.mkdir = [...needed].filter((path) => !known.has(path)).sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  diff.rmdir = [...paths]
    .filter(([, path]) => !needed.has(path))
    .sort(([, a], [, b]) => depth(a) - depth(b))
    .map(([directory]) => directory);
  return diff;
}

function prefixesOf(path: string): string[] {
  const names = path.split("/").filter(Boolean);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

/** @param pathOf where a file stands for the tool; undefined for what is none of its */
async function compare(
  ctx: Context,
  id: string,
  entries: readonly Entry[],
  pathOf: (file: HeldFile) => string | undefined,
): Promise<Compared> {
  const hashes = new Set(entries.map((entry) => entry.hash));
  const places = new Set(entries.map((entry) => entry.path));
  const held: Compared = {
    linked: new Map(),
    waiting: new Map(),
    failed: new Map(),
    stale: new Map(),
    gone: [],
    more: false,
  };
  for await (const page of heldFiles(ctx, id)) {
    for (const file of page) {
      const path = pathOf(file);
      if (file.hash !== null && hashes.has(file.hash)) {
        const isBroken = file.state === "failed" || file.state === "stored";
        const byHash = file.linked ? held.linked : isBroken ? held.failed : held.waiting;
        byHash.set(file.hash, file);
        continue;
      }
      if (path === undefined) continue;
      if (places.has(path)) held.stale.set(path, file);
      if (held.gone.length < maxRemoved) held.gone.push({ file, path });
      else held.more = true;
    }
  }
  return held;
}
