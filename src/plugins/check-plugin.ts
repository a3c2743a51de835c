import type { Context } from "../context.ts";
import { requireMaker } from "./create-plugin.ts";
import { describeSource, loadPackages } from "./describe-source.ts";
import type { Family } from "./find-plugin.ts";
import { findNamedHosts } from "./named-hosts.ts";
import { checkMayRunNatively } from "./runners/check-runner.ts";
import type { Checked } from "./schema.ts";

/**
 * What a source would be if it were stored; nothing is stored.
 * @param runner native runner that it would run on; only for system administrators
 * @throws AppError `forbidden`, `plugins_disabled`, `plugin_unavailable`.
 */
export async function checkPlugin(
  ctx: Context,
  family: Family,
  source: string,
  runner: string | null = null,
): Promise<Checked> {
  const user = requireMaker(ctx, family);
  if (runner !== null) checkMayRunNatively(ctx, user, runner);
  const packages = await loadPackages(ctx, {
    organizationId: user.organizationId,
    byAdminOnly: user.role === "admin",
  });
  const { info, problems } = await describeSource(ctx, family, source, packages, runner);
  return {
    ok: info !== undefined,
    type: info?.type ?? null,
    language: info?.language ?? null,
    manifest: info?.manifest ?? {},
    specs: info?.specs ?? [],
    valves_schema: info?.valvesSchema ?? null,
    user_valves_schema: info?.userValvesSchema ?? null,
    problems,
    named_hosts: info ? findNamedHosts(source, info.language, info) : [],
  };
}
