import { and, eq, inArray } from "drizzle-orm";
import { requireAdmin, requirePermission, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { grants } from "../../people/grants/tables.ts";
import { users } from "../../people/users/tables.ts";
import { describeAnySource, loadPackages } from "../describe-source.ts";
import { mayWrite } from "../find-plugin.ts";
import { findNamedHosts } from "../named-hosts.ts";
import { requirePlugins } from "../open-plugin.ts";
import type { PluginInfo, PluginPackage } from "../plugin-host.ts";
import { entryColumns, ownerOf } from "../plugin-index.ts";
import { attachedRunners } from "../runners/check-runner.ts";
import { type FoundPlugin, type FoundPlugins, type LookedAt, maxSourceLength, type PluginOrigin } from "../schema.ts";
import { plugins } from "../tables.ts";
import { listGithubFolder, readGithubFolder } from "./github-folder.ts";
import { inTurns } from "./in-turns.ts";
import { loadUrl, readAddress } from "./load-url.ts";
import { idFrom, type ImportedSource, readImportFile } from "./read-import-file.ts";

/** Sources that one look describes. */
const maxSources = 50;
/** Characters of all of them: the answer has them. */
const maxLength = 20_000_000;

/**
 * Who may import plugins: people who may write tools. Functions can only be stored by administrators.
 * @throws AppError `forbidden`
 */
export function requireImporter(ctx: Context): User {
  return requirePermission(ctx, "workspace.tools");
}

interface Read {
  origin: PluginOrigin;
  source: ImportedSource;
}

/**
 * Looks at what could be imported; nothing is stored, and a source is only loaded as `check` loads it. Addresses are for
 * administrators, because the service calls them.
 * @throws AppError `forbidden`; `plugins_disabled`, `plugin_unavailable`; for one address as `loadUrl`.
 */
export async function findPlugins(ctx: Context, looked: LookedAt): Promise<FoundPlugins> {
  const user = requireImporter(ctx);
  requirePlugins(ctx);
  if ("url" in looked) {
    requireAdmin(ctx);
    const folder = readGithubFolder(readAddress(looked.url));
    if (folder) {
      const { files, isIncomplete } = await listGithubFolder(ctx, folder);
      return { found: [], files, incomplete: isIncomplete, failed: [] };
    }
  }
  const failed: FoundPlugins["failed"] = [];
  const read = "files" in looked ? readFiles(looked.files, failed) : await readAddresses(ctx, looked, failed);
  const kept = keepWithin(read, failed);
  const packages = await loadPackages(ctx, {
    organizationId: user.organizationId,
    byAdminOnly: user.role === "admin",
  });
  const found: FoundPlugin[] = [];
  await inTurns(kept, async (each, index) => {
    found[index] = await describe(ctx, user, each, packages);
  });
  const checkAgain = (index: number, runner: string) => describe(ctx, user, kept[index]!, packages, runner);
  return { found: await withExisting(ctx, user, found, checkAgain), files: [], incomplete: false, failed };
}

/**
 * Says of each which plugin has its id already; one round trip.
 * @param checkAgain looks at one where the plugin runs that it would replace
 */
async function withExisting(
  ctx: Context,
  user: User,
  found: FoundPlugin[],
  checkAgain: (index: number, runner: string) => Promise<FoundPlugin>,
): Promise<FoundPlugin[]> {
  const ids = [...new Set(found.map(({ id }) => id))];
  if (ids.length === 0) return found;
  const [rows, given] = await ctx.db.batch([
    ctx.db.select(entryColumns).from(plugins).leftJoin(users, ownerOf).where(inArray(plugins.id, ids)),
    ctx.db
      .select()
      .from(grants)
      .where(and(eq(grants.resourceType, "tool"), inArray(grants.resourceId, ids))),
  ]);
  const isMine = (entry: (typeof rows)[number]): boolean =>
    mayWrite(user, entry, entry.family === "tool" ? given.filter(({ resourceId }) => resourceId === entry.id) : []);
  const checked = [...found];
  await inTurns(found, async (each, index) => {
    // What needs its runner has no family in the sandbox.
    const native = rows.find(
      ({ family, id, runner }) => runner !== null && id === each.id && (each.family ?? family) === family,
    );
    if (!native?.runner || !native.isTrusted || !isMine(native) || !attachedRunners(ctx).includes(native.runner))
      return;
    const again = await checkAgain(index, native.runner);
    if (again.family === native.family) checked[index] = { ...again, id: each.id };
  });
  return checked.map((each) => {
    const entry = rows.find(({ family, id }) => family === each.family && id === each.id);
    if (!entry) return each;
    const mine = isMine(entry);
    // What somebody else has is nobody's business; that the id is taken has to be said.
    return { ...each, existing: { name: mine ? entry.name : "", version: entry.version, mine } };
  });
}

function readFiles(files: Extract<LookedAt, { files: unknown }>["files"], failed: FoundPlugins["failed"]): Read[] {
  return files.flatMap(({ name, content }) =>
    withOrigin({ kind: "file", from: name }, name, content.replaceAll("\r\n", "\n"), failed),
  );
}

async function readAddresses(
  ctx: Context,
  looked: Exclude<LookedAt, { files: unknown }>,
  failed: FoundPlugins["failed"],
): Promise<Read[]> {
  requireAdmin(ctx);
  if ("url" in looked) {
    const { name, content } = await loadUrl(ctx, looked.url);
    return withOrigin({ kind: "address", from: looked.url.trim() }, name, content, failed);
  }
  const read: Read[][] = [];
  await inTurns(looked.urls, async (url, index) => {
    try {
      const { name, content } = await loadUrl(ctx, url);
      read[index] = withOrigin({ kind: "address", from: url.trim() }, name, content, failed);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push({ from: url, message: error.message });
    }
  });
  return read.flat();
}

function withOrigin(origin: PluginOrigin, name: string, content: string, failed: FoundPlugins["failed"]): Read[] {
  const sources = readImportFile(name, content);
  if (sources.length === 0) failed.push({ from: origin.from, message: "This file has no plugins in it" });
  return sources.map((source) => ({
    origin: source.item === undefined ? origin : { ...origin, item: source.item.slice(0, 300) },
    source,
  }));
}

function keepWithin(read: Read[], failed: FoundPlugins["failed"]): Read[] {
  let length = 0;
  return read.filter(({ origin, source }, index) => {
    const refuse = (message: string) => {
      failed.push({ from: source.item ?? origin.from, message });
      return false;
    };
    if (index >= maxSources) return refuse(`More than ${maxSources} plugins at once`);
    if (source.content.length > maxSourceLength)
      return refuse(`The source has more than ${maxSourceLength.toLocaleString("en")} characters`);
    length += source.content.length;
    return length <= maxLength || refuse("The files are too large together: import fewer at once");
  });
}

async function describe(
  ctx: Context,
  user: User,
  { origin, source }: Read,
  packages: PluginPackage[],
  runner: string | null = null,
): Promise<FoundPlugin> {
  const { info, problems } = await describeAnySource(ctx, source.content, packages, runner);
  const manifest = info?.manifest ?? {};
  const family = info === undefined ? null : info.type === "tools" ? "tool" : "function";
  const refused = family === "function" && user.role !== "admin";
  const title = source.item === undefined ? (manifest["title"] ?? source.name) : source.name;
  const name = printable(title) || printable(source.name) || "Plugin";
  const id = idFrom(source.item ?? title);
  return {
    from: origin.from,
    origin,
    ok: info !== undefined && !refused,
    family,
    type: info?.type ?? null,
    language: info?.language ?? null,
    id,
    name,
    description: (source.description ?? manifest["description"] ?? "").slice(0, 10_000) || null,
    ...aboutOf(manifest),
    requirements: requirementsOf(manifest),
    hosts: hostsOf(info, source),
    valves: source.valves,
    content: source.content,
    problems: refused
      ? [...problems, { severity: "error", message: "This is a function: only administrators can add it" }]
      : problems,
    existing: null,
  };
}

function hostsOf(info: PluginInfo | undefined, source: ImportedSource): string[] {
  const named = info ? findNamedHosts(source.content, info.language, info) : [];
  return [...new Set([...source.hosts.filter((host) => host.length <= 300).slice(0, 100), ...named])].sort();
}

function aboutOf(manifest: Record<string, string>) {
  const text = (...keys: string[]) => keys.map((key) => manifest[key]?.slice(0, 500)).find(Boolean) ?? null;
  return { version: text("version"), author: text("author"), license: text("license", "licence") };
}

/** The packages that a leading comment requires. */
export function requirementsOf(manifest: Record<string, string>): string[] {
  const listed = (manifest["requirements"] ?? "").split(",").map((each) => each.trim());
  return listed.filter((each) => each !== "" && each.toLowerCase() !== "none").slice(0, 100);
}

function printable(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
    .slice(0, 200);
}
