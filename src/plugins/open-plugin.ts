import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isRecord, tryParseJson } from "../lib/json.ts";
import { users } from "../people/users/tables.ts";
import { type PackageScope, selectPackages, toPluginPackages } from "./packages/find-packages.ts";
import type { PluginCode, PluginSession } from "./plugin-host.ts";
import { entryColumns, isPlugin, isSwitchedOn, ownerOf, type PluginEntry } from "./plugin-index.ts";
import { requireRunner } from "./runners/check-runner.ts";
import { plugins } from "./tables.ts";
import { openWatched } from "./use/watched-session.ts";

/**
 * A session with the plugin's isolate. Nothing is read before a call needs it: with a warm isolate calls cost no round
 * trip; otherwise one, for the code, the valves and the packages. Close it when the turn has ended.
 * @param person for whom it runs: tools of people who are not administrators have an isolate for each person, so that
 *   nothing that one of them gives away is there for the next
 * @throws AppError `plugins_disabled` if ENABLE_PLUGINS, SAFE_MODE or its own switch prevents it, or if it may not run where
 *   it is set to run.
 */
export function openPlugin(
  ctx: Pick<Context, "db" | "vault" | "plugins" | "blobs" | "settings" | "log" | "environment" | "now" | "waitUntil">,
  entry: PluginEntry,
  person?: { id: string },
): PluginSession {
  requirePlugins(ctx);
  if (!isSwitchedOn(ctx.settings, entry))
    throw new AppError("plugins_disabled", `${entry.name} is switched off. Ask an administrator to switch it on`);
  requireRunner(ctx, entry);
  return openWatched(ctx, entry, {
    plugin: `${entry.family}/${entry.id}`,
    wall: wallOf(entry),
    fingerprint: entry.isTrusted ? entry.fingerprint : `${entry.fingerprint}/${person?.id ?? ""}`,
    language: entry.language,
    hosts: entry.hosts,
    runner: entry.runner,
    load: () => load(ctx, entry),
  });
}

/** Plugins share a process with others of the same owner and the same trust, never with anyone else's. */
export function wallOf({
  isTrusted,
  organizationId,
  userId,
  maker,
}: Pick<PluginEntry, "isTrusted" | "organizationId" | "userId" | "maker">): string {
  const owner = `${organizationId ?? ""}/${userId ?? ""}`;
  return isTrusted ? `trusted/${owner}` : `other/${owner}/${maker?.id ?? ""}`;
}

/** @throws AppError, in words that persons may be told */
async function load(
  ctx: Pick<Context, "db" | "vault" | "blobs" | "log">,
  entry: PluginEntry,
): ReturnType<PluginCode["load"]> {
  try {
    const [[row], packages] = await ctx.db.batch([
      ctx.db
        .select({ code: plugins.code, sealedValves: plugins.sealedValves, isTrusted: entryColumns.isTrusted })
        .from(plugins)
        .leftJoin(users, ownerOf)
        .where(isPlugin(entry.family, entry.id)),
      selectPackages(ctx.db, packageScope(entry)),
    ]);
    if (!row) throw new AppError("not_found", `${entry.name} was deleted`);
    if (entry.isTrusted && !row.isTrusted)
      throw new AppError("conflict", `${entry.name} was changed a moment ago: send the message again`);
    return {
      code: row.code,
      valves: await openValves(ctx, row.sealedValves),
      packages: await toPluginPackages(ctx, packages),
    };
  } catch (error) {
    if (error instanceof AppError) throw error;
    ctx.log.error("could not load a plugin", { plugin: `${entry.family}/${entry.id}`, error });
    throw new AppError("internal_error", "It could not be loaded. The cause is in the log", { cause: error });
  }
}

/** @throws AppError `plugins_disabled` */
export function requirePlugins({ settings }: Pick<Context, "settings">): void {
  if (!settings.ENABLE_PLUGINS)
    throw new AppError("plugins_disabled", "Plugins are switched off. Ask an administrator to switch them on");
}

/** Administrators' sources see only packages uploaded by administrators; JavaScript sees none. */
export function packageScope(entry: Pick<PluginEntry, "language" | "organizationId" | "isTrusted">): PackageScope {
  return {
    organizationId: entry.language === "python" ? entry.organizationId : null,
    byAdminOnly: entry.isTrusted,
  };
}

/** The stored values; missing ones have their default. */
export async function openValves(
  { vault }: Pick<Context, "vault">,
  sealed: string | null,
): Promise<Record<string, unknown>> {
  if (sealed === null) return {};
  const values = tryParseJson(await vault.open(sealed));
  return isRecord(values) ? values : {};
}
