import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { decodeCursor, encodeCursor, wrongCursor } from "../db/page.ts";
import { AppError } from "../errors.ts";
import { isRecord } from "../lib/json.ts";
import { requireEndpoint, type EndpointOwner } from "./require-endpoint.ts";
import type {
  AttemptView,
  DeliveryDetail,
  DeliveryPage,
  DeliveryQuery,
  DeliveryView,
  WhoseEndpoint,
} from "./schema.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "./tables.ts";

/** What was told, and what is still to be, newest first. @throws AppError `forbidden`; `bad_request` for a wrong cursor */
export async function listDeliveries(ctx: Context, whose: WhoseEndpoint, query: DeliveryQuery): Promise<DeliveryPage> {
  const owner = requireEndpoint(ctx, whose);
  const { state, event, cursor, limit } = query;
  const rows = await selectDeliveries(ctx)
    .where(
      and(
        isOf(owner),
        state && eq(webhookDeliveries.state, state),
        event && eq(webhookDeliveries.event, event),
        cursor === undefined ? undefined : lt(webhookDeliveries.id, placeOf(cursor)),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    deliveries: shown.map(deliveryView),
    next_cursor: rows.length > limit && last ? encodeCursor([last.delivery.id]) : null,
  };
}

/** One of them with all its attempts. @throws AppError `forbidden`, `not_found` */
export async function getDelivery(ctx: Context, whose: WhoseEndpoint, id: string): Promise<DeliveryDetail> {
  const owner = requireEndpoint(ctx, whose);
  return readDetail(await ctx.db.batch(detailStatements(ctx, owner, id)));
}

/** A delivery and its attempts, for `readDetail`. */
function detailStatements(ctx: Pick<Context, "db">, owner: EndpointOwner, id: string) {
  return [
    selectDeliveries(ctx).where(and(isOf(owner), eq(webhookDeliveries.id, id))),
    ctx.db
      .select()
      .from(webhookAttempts)
      .where(eq(webhookAttempts.deliveryId, id))
      .orderBy(asc(webhookAttempts.number)),
  ] as const;
}

type DetailRows = readonly [Awaited<ReturnType<typeof selectDeliveries>>, (typeof webhookAttempts.$inferSelect)[]];

/** @throws AppError `not_found` */
function readDetail([[row], attempts]: DetailRows): DeliveryDetail {
  if (!row) throw new AppError("not_found", "No such delivery");
  return { ...deliveryView(row), payload: row.delivery.payload, attempts: attempts.map(attemptView) };
}

/** Whether a delivery is of that endpoint: what is somebody else's is not there. */
export function isOf({ owner }: EndpointOwner) {
  return sql`${webhookDeliveries.endpointId} = (SELECT id FROM ${webhookEndpoints} WHERE ${eq(webhookEndpoints.owner, owner)})`;
}

function selectDeliveries({ db }: Pick<Context, "db">) {
  return db
    .select({
      delivery: webhookDeliveries,
      last: {
        // Drizzle takes the whole for missing where the first of it is null.
        number: webhookAttempts.number,
        status: webhookAttempts.status,
        error: webhookAttempts.error,
        duration: webhookAttempts.duration,
      },
    })
    .from(webhookDeliveries)
    .leftJoin(
      webhookAttempts,
      and(eq(webhookAttempts.deliveryId, webhookDeliveries.id), eq(webhookAttempts.number, webhookDeliveries.attempts)),
    );
}

function placeOf(cursor: string): string {
  const [id] = decodeCursor(cursor, 1);
  if (typeof id !== "string") throw wrongCursor();
  return id;
}

type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number];

function deliveryView({ delivery, last }: DeliveryRow): DeliveryView {
  return {
    id: delivery.id,
    webhook_id: delivery.replayOf ?? delivery.id,
    event: delivery.event,
    about: aboutOf(delivery.payload),
    state: delivery.state,
    replay_of: delivery.replayOf,
    attempt_count: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt,
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
    last_duration: last?.duration ?? null,
    created_at: delivery.createdAt,
    finished_at: delivery.finishedAt,
  };
}

/** Whom or what a payload is about, as far as it says. */
function aboutOf({ chat, user }: Record<string, unknown>): string {
  const said = isRecord(chat) ? chat["title"] : isRecord(user) ? user["email"] : "";
  return typeof said === "string" ? said : "";
}

function attemptView(row: typeof webhookAttempts.$inferSelect): AttemptView {
  const { number, startedAt, duration, url, requestHeaders, requestBody, status, error } = row;
  return {
    number,
    started_at: startedAt,
    duration,
    url,
    request: { headers: requestHeaders, body: requestBody },
    response: status === null ? null : { status, headers: row.responseHeaders ?? {}, body: row.responseBody ?? "" },
    error,
  };
}
