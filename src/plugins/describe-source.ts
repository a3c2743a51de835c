import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { Family } from "./find-plugin.ts";
import { requirePlugins } from "./open-plugin.ts";
import { type PackageScope, selectPackages, toPluginPackages } from "./packages/find-packages.ts";
import type { Described, PluginInfo, PluginPackage, SourceProblem } from "./plugin-host.ts";
import { readDescribed } from "./read-described.ts";

/** Largest description of one plugin, in characters of JSON: every isolate keeps those of all plugins in memory. */
const maxInfoLength = 300_000;

/** A source that loads. */
export interface LoadedPlugin {
  source: string;
  /** What isolates run. */
  code: string;
  info: PluginInfo;
}

/**
 * Loads a source in an isolate to describe it, or on the native runner that it is for.
 * @throws AppError `plugin_invalid` with every problem and its line; `plugins_disabled`, `plugin_unavailable`.
 */
export async function loadSource(
  ctx: Context,
  family: Family,
  source: string,
  packages: PluginPackage[],
  runner: string | null = null,
): Promise<LoadedPlugin> {
  const { code, info, problems } = await describeSource(ctx, family, source, packages, runner);
  if (code !== undefined && info) return { source, code, info };
  const issues = problems
    .filter(({ severity }) => severity === "error")
    .map(({ message, line }) => ({
      path: "content",
      message: line === undefined ? message : `Line ${line}: ${message}`,
    }));
  throw new AppError("plugin_invalid", issues[0]?.message ?? "The source could not be loaded", {
    issues,
    param: "content",
  });
}

/** The same as a value: `info` is present exactly if the source can be stored. */
export async function describeSource(
  ctx: Context,
  family: Family,
  source: string,
  packages: PluginPackage[],
  runner: string | null = null,
): Promise<Described> {
  const described = await describeAnySource(ctx, source, packages, runner);
  const { info, problems } = described;
  const problem = info && misplaced(family, info);
  if (!problem) return described;
  return { code: undefined, info: undefined, problems: [...problems, problem] };
}

/** The same for a source of which nobody has said yet whether it is a function or a tool. */
export async function describeAnySource(
  ctx: Context,
  source: string,
  packages: PluginPackage[],
  runner: string | null = null,
): Promise<Described> {
  requirePlugins(ctx);
  try {
    return readDescribed(await ctx.plugins.describe(source, packages, runner));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("plugin_unavailable", "Plugins cannot be loaded at the moment: try again later", {
      retryAfter: 5,
      cause: error,
    });
  }
}

function misplaced(family: Family, info: PluginInfo): SourceProblem | undefined {
  const error = (message: string): SourceProblem => ({ severity: "error", message });
  if (family === "tool" && info.type !== "tools")
    return error(`This is a ${info.type}: create it as a function. Tools have a class named Tools`);
  if (family === "function" && info.type === "tools")
    return error("This is a tool: create it under tools. Functions have a class named Pipe, Filter or Action");
  if (JSON.stringify(info).length > maxInfoLength)
    return error("The descriptions of its manifest, valves and functions are too long");
  return undefined;
}

/** The packages that a source can import: one round trip. */
export async function loadPackages(ctx: Context, scope: PackageScope): Promise<PluginPackage[]> {
  const rows = await selectPackages(ctx.db, scope);
  return toPluginPackages(ctx, rows);
}
