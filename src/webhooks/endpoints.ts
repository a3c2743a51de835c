import { eq, sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { newId } from "../lib/id.ts";
import { auditRow } from "../people/audit/audit-row.ts";
import { changeSettings, isLocked } from "../settings/change-settings.ts";
import { checkWebhookUrl } from "./check-webhook-url.ts";
import { cancelStatements } from "./disable-endpoint.ts";
import { hurryStatements } from "./hurry-deliveries.ts";
import { wakeDeliveries } from "./outbox.ts";
import { requireEndpoint, type EndpointOwner } from "./require-endpoint.ts";
import type { EndpointChange, EndpointView, WhoseEndpoint } from "./schema.ts";
import { freshEndpoint, serviceEndpoint } from "./service-endpoint.ts";
import { shapeOf } from "./shapes.ts";
import { webhookEndpoints } from "./tables.ts";

/** Where deliveries go and how that works. @throws AppError `forbidden` */
export async function getEndpoint(ctx: Context, whose: WhoseEndpoint): Promise<EndpointView> {
  const owner = requireEndpoint(ctx, whose);
  return endpointView(ctx, owner, ctx.settings.WEBHOOK_URL, await selectEndpoint(ctx, owner));
}

/**
 * Changes what is named. Another address, or switching on again, begins anew: what waits is sent at once, and earlier failures
 * count no more. Switching off, and taking the address away, cancels what waits.
 * @throws AppError `forbidden`; `validation_failed` for an address that may not be called; `setting_locked` for the service's
 * address where the environment has it
 */
export async function changeEndpoint(
  ctx: Context,
  whose: WhoseEndpoint,
  change: EndpointChange,
): Promise<EndpointView> {
  const owner = requireEndpoint(ctx, whose);
  const given = change.url === undefined || change.url === "" ? change.url : checkWebhookUrl(ctx, change.url);
  if (whose === "service" && given !== undefined) await changeSettings(ctx, { WEBHOOK_URL: given });
  const url = given ?? (whose === "service" ? ctx.settings.WEBHOOK_URL : undefined);
  const now = Date.now();
  const statements = changeStatements(ctx, owner, { ...change, url }, now);
  const results = await ctx.db.batch([
    ...statements,
    auditRow(ctx, {
      action: "webhook.updated",
      targetType: "webhook",
      targetId: owner.owner,
      // Addresses hold secrets of their receivers.
      detail: { whose, ...change, ...(given === undefined ? {} : { url: undefined, host: hostOf(given) }) },
    }),
    selectEndpoint(ctx, owner),
  ]);
  wakeDeliveries(ctx);
  return endpointView(ctx, owner, url ?? "", results.at(-1) as Awaited<ReturnType<typeof selectEndpoint>>);
}

function changeStatements(ctx: Context, { owner, userId }: EndpointOwner, change: EndpointChange, now: number) {
  const { url, is_enabled: isEnabled, is_always: isAlways } = change;
  const same = eq(webhookEndpoints.owner, owner);
  const id = sql`(SELECT id FROM webhook_endpoints WHERE owner = ${owner})`;
  const isOther = url === undefined ? sql`FALSE` : sql`${webhookEndpoints.url} <> ${url}`;
  const begins = sql`${same} AND (${isOther} OR ${isEnabled === true ? sql`${webhookEndpoints.isEnabled} = 0` : sql`FALSE`})`;
  return [
    ctx.db
      .insert(webhookEndpoints)
      .values({
        id: userId === null ? serviceEndpoint : newId(),
        owner,
        userId,
        url: url ?? "",
        sealedSecret: "",
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing({ target: webhookEndpoints.owner }),
    // What waits goes to another address at once.
    ...hurryStatements(
      ctx,
      sql`endpoint_id = ${id} AND EXISTS (SELECT 1 FROM ${webhookEndpoints} WHERE ${begins})`,
      now,
    ),
    ctx.db
      .update(webhookEndpoints)
      .set({
        ...freshEndpoint(url ?? "", now),
        url: url ?? sql`${webhookEndpoints.url}`,
        // Who has switched it off by hand wants it off with another address too.
        isEnabled:
          isEnabled ?? sql`(${webhookEndpoints.isEnabled} = 1 OR ${webhookEndpoints.disabledReason} IS NOT NULL)`,
      })
      .where(begins),
    ctx.db
      .update(webhookEndpoints)
      .set({
        ...(isEnabled === false ? { isEnabled, disabledReason: null, disabledAt: null } : {}),
        ...(isAlways === undefined ? {} : { isAlways }),
        updatedAt: now,
      })
      .where(same),
    ...cancelStatements(ctx, id, now),
  ] as const;
}

/** The row, and how many deliveries wait; one statement. */
function selectEndpoint({ db }: Pick<Context, "db">, { owner }: EndpointOwner) {
  return db
    .select({
      row: webhookEndpoints,
      // By names of its own: drizzle leaves out those of tables where only one is selected from.
      pending: sql<number>`(SELECT count(*) FROM webhook_deliveries d
        WHERE d.endpoint_id = webhook_endpoints.id AND d.state = 'pending')`,
    })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.owner, owner));
}

/** @param serviceUrl what `WEBHOOK_URL` says: where the row says something else, nobody has looked since it was changed */
function endpointView(
  ctx: Context,
  { whose }: EndpointOwner,
  serviceUrl: string,
  [found]: Awaited<ReturnType<typeof selectEndpoint>>,
): EndpointView {
  const url = whose === "service" ? serviceUrl : (found?.row.url ?? "");
  const row =
    found && (found.row.url === url ? found.row : { ...found.row, ...freshEndpoint(url, found.row.updatedAt) });
  return {
    url,
    is_locked: whose === "service" && isLocked(ctx, "WEBHOOK_URL"),
    is_enabled: row?.isEnabled ?? true,
    is_always: row?.isAlways ?? false,
    shape: shapeOf(url),
    disabled_reason: row?.disabledReason ?? null,
    disabled_at: row?.disabledAt ?? null,
    failing_since: row?.failingSince ?? null,
    paused_until: (row?.pausedUntil ?? 0) > Date.now() ? row!.pausedUntil : null,
    previous_until: previousUntil(row),
    pending: found?.pending ?? 0,
    created_at: row?.createdAt ?? null,
    updated_at: row?.updatedAt ?? null,
  };
}

/** Until when the secret before the last rotation signs too; null where it does no more. */
export function previousUntil(row: { overlapUntil: number | null } | undefined): number | null {
  const until = row?.overlapUntil ?? 0;
  return until > Date.now() ? until : null;
}

function hostOf(url: string): string {
  return url === "" ? "" : new URL(url).host;
}
