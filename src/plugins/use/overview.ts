import { managesOrganization } from "../../access.ts";
import type { Context } from "../../context.ts";
import { type Family, findWritable } from "../find-plugin.ts";
import { anyHost } from "../hosts.ts";
import { findNamedHosts } from "../named-hosts.ts";
import type { PluginOverview } from "../schema.ts";
import { requirementsOf } from "../transfer/find-plugins.ts";
import { budgetView } from "./budgets.ts";
import { selectUse } from "./write-use.ts";

/**
 * What a plugin may reach, and what it reached. Two round trips.
 * @throws AppError `forbidden`, `not_found`.
 */
export async function getOverview(ctx: Context, family: Family, id: string): Promise<PluginOverview> {
  const { user, entry, source } = await findWritable(ctx, family, id);
  const [days, contacts] = await ctx.db.batch([...selectUse(ctx.db, family, entry.id)]);
  const { hosts, info } = entry;
  return {
    hosts,
    proposed_hosts: findNamedHosts(source, entry.language, info).filter((host) => !isCovered(host, hosts)),
    requirements: requirementsOf(info.manifest),
    trusted: entry.isTrusted,
    may_approve: managesOrganization(user, entry.organizationId ?? ""),
    origin: entry.origin,
    budget: budgetView(entry.budget),
    runner: entry.runner,
    days: days.map((each) => ({
      day: new Date(each.day * 86_400_000).toISOString().slice(0, 10),
      calls: each.calls,
      errors: each.errors,
      bytes_out: each.bytesOut,
      bytes_in: each.bytesIn,
      duration_ms: each.durationMs,
      memory: each.memory || null,
    })),
    contacts: contacts.map(({ host, isRefused, requests, bytesOut, bytesIn, lastAt }) => ({
      host,
      refused: isRefused,
      requests,
      bytes_out: bytesOut,
      bytes_in: bytesIn,
      last_at: lastAt,
    })),
  };
}

/** Whether a list of hosts has it already. */
export function isCovered(host: string, hosts: readonly string[]): boolean {
  return hosts.some(
    (entry) => entry === anyHost || entry === host || (entry.startsWith("*.") && host.endsWith(entry.slice(1))),
  );
}
