import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Extent } from "./record-source.ts";
import type { ExportView } from "./schema.ts";
import { isSecretSetting } from "./workspace-sources.ts";

const ofThisPlace = "It describes what happened here, and stays here";
const connectsOut = "It has a secret and reaches out by itself: set it up again";

/** What the export of a service does not have. */
const staying: readonly { what: string; table: string; reason: string }[] = [
  {
    what: "people's own connections to providers",
    table: "direct_connections",
    reason: "They have keys: people add them again",
  },
  { what: "tool servers", table: "tool_servers", reason: connectsOut },
  { what: "invitations", table: "invitations", reason: "Their links work here only: invite again" },
  { what: "outbound webhooks", table: "webhook_endpoints", reason: connectsOut },
  {
    what: "Python packages",
    table: "plugin_packages",
    reason: "Upload them again: what plugins run is checked where it runs",
  },
  {
    what: "earlier versions of functions and tools",
    table: "plugin_versions",
    reason: "Only the present source goes along",
  },
  {
    what: "databases of functions and tools",
    table: "plugin_databases",
    reason: "They belong to the plugins here, which begin with new ones",
  },
  { what: "quotas", table: "quotas", reason: "They limit the use of this service" },
  { what: "legal holds", table: "legal_holds", reason: "Place them again, where they have to hold" },
  { what: "usage records", table: "usage_records", reason: ofThisPlace },
  { what: "days of usage", table: "usage_days", reason: ofThisPlace },
  { what: "audit log entries", table: "audit_events", reason: ofThisPlace },
  { what: "sessions", table: "sessions", reason: "People sign in again" },
  {
    what: "passkeys",
    table: "passkeys",
    reason: "They belong to the host name of this service: people add new ones",
  },
  { what: "stored API responses", table: "stored_responses", reason: "They expire by themselves" },
];

/** What an export leaves out, with how many there are. What there is nothing of is not named. */
export async function leftOutOf(ctx: Context, { personId, withSecrets }: Extent): Promise<ExportView["left_out"]> {
  if (personId !== null) {
    const [row] = await ctx.db.all<{ channels: number }>(
      sql`SELECT count(*) AS channels FROM channel_members WHERE user_id = ${personId}`,
    );
    const reason = "What is said in a channel isn't one person's alone";
    return row!.channels === 0 ? [] : [{ what: "channels", count: row!.channels, reason }];
  }
  const counts = sql.join(
    staying.map(({ table }) => sql`(SELECT count(*) FROM ${sql.identifier(table)})`),
    sql`, `,
  );
  const [row] = await ctx.db.all<{ counts: string; names: string; valves: number }>(sql`
    SELECT json_array(${counts}) AS counts, (SELECT json_group_array(name) FROM settings) AS names,
      (SELECT count(*) FROM plugin_user_valves) AS valves`);
  const numbers = JSON.parse(row!.counts) as number[];
  const secretSettings = (JSON.parse(row!.names) as string[]).filter((name) => isSecretSetting(ctx, name)).length;
  const secret = "Secrets only go along when they are asked for";
  return [
    ...(withSecrets
      ? []
      : [
          { what: "people's own settings of functions and tools", count: row!.valves, reason: secret },
          { what: "settings that hold secrets", count: secretSettings, reason: secret },
        ]),
    ...staying.map(({ what, reason }, at) => ({ what, count: numbers[at]!, reason })),
  ].filter(({ count }) => count > 0);
}
