import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { runBatch } from "../db/batch.ts";
import { insertWhere } from "../db/insert-where.ts";
import { AppError } from "../errors.ts";
import { auditRowIf } from "../people/audit/audit-row.ts";
import { getDelivery, isOf } from "./deliveries.ts";
import { newDeliveryId } from "./delivery-id.ts";
import { hurryStatements } from "./hurry-deliveries.ts";
import { deliverJob, wakeDeliveries } from "./outbox.ts";
import { requireEndpoint } from "./require-endpoint.ts";
import type { DeliveryDetail, WhoseEndpoint } from "./schema.ts";
import { followServiceUrl } from "./service-endpoint.ts";
import { webhookDeliveries, webhookEndpoints } from "./tables.ts";

/**
 * Sends a delivery again: what waits is sent now, what is over once more, as a delivery of its own with the id that the
 * receiver knows. @returns the delivery that is to be sent
 * @throws AppError `forbidden`, `not_found`; `conflict` while the endpoint is switched off or has no address
 */
export async function sendAgain(ctx: Context, whose: WhoseEndpoint, id: string): Promise<DeliveryDetail> {
  const owner = requireEndpoint(ctx, whose);
  const copy = newDeliveryId();
  const now = Date.now();
  const column = (name: string) => sql`(SELECT ${sql.raw(`d.${name}`)} FROM webhook_deliveries d WHERE d.id = ${id})`;
  const isOn = sql`EXISTS (SELECT 1 FROM ${webhookEndpoints} WHERE ${eq(webhookEndpoints.owner, owner.owner)} AND is_enabled = 1 AND url <> '')`;
  const isOver = sql`EXISTS (SELECT 1 FROM ${webhookDeliveries} WHERE ${eq(webhookDeliveries.id, id)} AND ${isOf(owner)} AND state <> 'pending')`;
  const isCopied = sql`EXISTS (SELECT 1 FROM ${webhookDeliveries} WHERE ${eq(webhookDeliveries.id, copy)})`;
  const results = await runBatch(ctx.db, [
    ...(owner.userId === null ? [followServiceUrl(ctx, ctx.settings.WEBHOOK_URL)] : []),
    // Whoever asks for it now has seen to the receiver.
    ctx.db.update(webhookEndpoints).set({ pausedUntil: null }).where(eq(webhookEndpoints.owner, owner.owner)),
    ...hurryStatements(ctx, sql`id = ${id} AND ${isOf(owner)}`, now),
    insertWhere(
      ctx.db,
      webhookDeliveries,
      {
        id: copy,
        endpointId: column("endpoint_id"),
        event: column("event"),
        payload: column("payload"),
        replayOf: sql`(SELECT coalesce(d.replay_of, d.id) FROM webhook_deliveries d WHERE d.id = ${id})`,
        nextAttemptAt: now,
        createdAt: now,
      },
      sql`${isOver} AND ${isOn}`,
    ),
    deliverJob(ctx, { id: copy, userId: owner.userId, now }),
    auditRowIf(
      ctx,
      {
        action: "webhook.delivery_sent_again",
        targetType: "webhook",
        targetId: owner.owner,
        detail: { whose, delivery_id: id },
      },
      isCopied,
    ),
    ctx.db
      .select({ id: webhookDeliveries.id, state: webhookDeliveries.state, isOn: sql<number>`${isOn}` })
      .from(webhookDeliveries)
      .where(and(sql`${webhookDeliveries.id} IN (${id}, ${copy})`, isOf(owner)))
      .orderBy(sql`${webhookDeliveries.id} = ${copy} DESC`)
      .limit(1),
  ]);
  const [row] = results.at(-1) as { id: string; state: string; isOn: number }[];
  if (row && row.isOn === 0)
    throw new AppError("conflict", "The webhook is switched off or has no address: deliveries cannot be sent again");
  wakeDeliveries(ctx);
  return getDelivery(ctx, whose, row?.id ?? id);
}
