import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isRecord, tryParseJson } from "../lib/json.ts";
import { type PackageScope, selectPackages, toPluginPackage } from "./packages/find-packages.ts";
import type { PluginCode, PluginSession } from "./plugin-host.ts";
import { isPlugin, isSwitchedOn, type PluginEntry } from "./plugin-index.ts";
import { plugins } from "./tables.ts";

/**
 * A way to the plugin's isolate. Nothing is read before a call needs it: where an isolate is warm, calls cost no round trip;
 * else one, for the code, the valves and the packages. To be closed when the turn is over.
 * @throws AppError `plugins_disabled` where ENABLE_PLUGINS, SAFE_MODE or its own switch keeps it from running.
 */
export function openPlugin(
  ctx: Pick<Context, "db" | "vault" | "plugins" | "blobs" | "settings" | "log">,
  entry: PluginEntry,
): PluginSession {
  requirePlugins(ctx);
  if (!isSwitchedOn(ctx.settings, entry))
    throw new AppError("plugins_disabled", `${entry.name} is switched off. Ask an administrator to switch it on`);
  return ctx.plugins.open({
    plugin: `${entry.family}/${entry.id}`,
    fingerprint: entry.fingerprint,
    language: entry.language,
    hosts: entry.hosts,
    load: () => load(ctx, entry),
  });
}

/** @throws AppError, in words that persons may be told */
async function load(
  ctx: Pick<Context, "db" | "vault" | "blobs" | "log">,
  entry: PluginEntry,
): ReturnType<PluginCode["load"]> {
  try {
    const [[row], packages] = await ctx.db.batch([
      ctx.db
        .select({ code: plugins.code, sealedValves: plugins.sealedValves })
        .from(plugins)
        .where(isPlugin(entry.family, entry.id)),
      selectPackages(ctx.db, packageScope(entry)),
    ]);
    if (!row) throw new AppError("not_found", `${entry.name} was deleted`);
    return {
      code: row.code,
      valves: await openValves(ctx, row.sealedValves),
      packages: packages.map((found) => toPluginPackage(ctx, found)),
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

/** What administrators wrote finds only packages that administrators uploaded; JavaScript finds none. */
export function packageScope(
  entry: Pick<PluginEntry, "family" | "language" | "organizationId" | "ownerIsAdmin">,
): PackageScope {
  return {
    organizationId: entry.language === "python" ? entry.organizationId : null,
    byAdminOnly: entry.family === "function" || entry.ownerIsAdmin,
  };
}

/** The values that were set; what is not among them has its default. */
export async function openValves(
  { vault }: Pick<Context, "vault">,
  sealed: string | null,
): Promise<Record<string, unknown>> {
  if (sealed === null) return {};
  const values = tryParseJson(await vault.open(sealed));
  return isRecord(values) ? values : {};
}
