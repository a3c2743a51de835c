import { sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { runBatch } from "../db/batch.ts";
import { insertWhere } from "../db/insert-where.ts";
import { AppError } from "../errors.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import { getDelivery } from "./deliveries.ts";
import { newDeliveryId } from "./delivery-id.ts";
import { tellDisabled } from "./disable-endpoint.ts";
import { findDelivery } from "./find-delivery.ts";
import { requireEndpoint } from "./require-endpoint.ts";
import type { DeliveryDetail, WhoseEndpoint } from "./schema.ts";
import { followServiceUrl } from "./service-endpoint.ts";
import { webhookDeliveries } from "./tables.ts";

/** Tests in a minute: whoever tries out addresses is not to press others with it. */
const maxTestsPerMinute = 10;

/**
 * Sends a test at once, also to an endpoint that is switched off, and once only; `attempts[0]` of what is returned says what came
 * of it.
 * @throws AppError `forbidden`; `conflict` where there is no address; `too_many_requests`
 */
export async function sendTest(ctx: Context, whose: WhoseEndpoint): Promise<DeliveryDetail> {
  const owner = requireEndpoint(ctx, whose);
  const id = newDeliveryId();
  const now = Date.now();
  const endpointId = sql`(SELECT id FROM webhook_endpoints WHERE owner = ${owner.owner})`;
  const recent = sql`(SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = ${endpointId} AND event = 'test' AND created_at > ${now - 60_000})`;
  const results = await runBatch(ctx.db, [
    ...(owner.userId === null ? [followServiceUrl(ctx, ctx.settings.WEBHOOK_URL)] : []),
    insertWhere(
      ctx.db,
      webhookDeliveries,
      {
        id,
        endpointId,
        event: "test",
        payload: { event: "test", message: `This is a test from ${ctx.settings.WEBUI_NAME}` },
        createdAt: now,
      },
      sql`EXISTS (SELECT 1 FROM webhook_endpoints WHERE owner = ${owner.owner} AND url <> '') AND ${recent} < ${maxTestsPerMinute}`,
    ),
    ctx.db.all<{ url: string | null; added: number }>(sql`
      SELECT (SELECT url FROM webhook_endpoints WHERE owner = ${owner.owner}) AS url,
        EXISTS (SELECT 1 FROM webhook_deliveries WHERE id = ${id}) AS added`),
  ]);
  const [state] = results.at(-1) as { url: string | null; added: number }[];
  if (!state?.url) throw new AppError("conflict", "No address is set: enter one first");
  if (!state.added)
    throw new AppError("too_many_requests", `At most ${maxTestsPerMinute} tests per minute: try again later`, {
      retryAfter: 60,
    });
  const sending = send(ctx, id);
  // Whoever leaves meanwhile finds it in the list, with its end.
  ctx.waitUntil(sending.catch(() => undefined));
  await sending;
  return getDelivery(ctx, whose, id);
}

async function send(ctx: Context, id: string): Promise<void> {
  const delivery = await findDelivery(ctx, id);
  if (!delivery) return;
  const { signal } = new AbortController();
  const done = await attemptDelivery(ctx, delivery, { signal, held: sql`TRUE` });
  if (done?.disabled) await tellDisabled(ctx, delivery.endpoint, done.disabled);
}
