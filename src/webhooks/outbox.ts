import { eq, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context, Services } from "../context.ts";
import { insertWhere } from "../db/insert-where.ts";
import { addJobStatement } from "../jobs/add-job.ts";
import { hasJobRoom } from "../jobs/room.ts";
import { users } from "../people/users/tables.ts";
import { newDeliveryId } from "./delivery-id.ts";
import { maxDeliveryMs } from "./schedule.ts";
import type { WebhookEvent } from "./schema.ts";
import { followServiceUrl, serviceEndpoint } from "./service-endpoint.ts";
import { webhookDeliveries, webhookEndpoints } from "./tables.ts";

/** Longest text of an answer in a delivery, in characters: payloads are to stay below 20 KB (Standard Webhooks, "Payload size"). */
const maxTextLength = 4000;
const maxTitleLength = 300;
/** So many deliveries of a person may wait; of what happens then they get none. */
export const maxWaitingDeliveries = 1000;

/**
 * Adds a delivery about a new person to the service's webhook: for the batch that creates the account, after its
 * statements; if no account is created, nothing is added. Nothing without `WEBHOOK_URL`. Call `wakeNewUserDelivery`
 * afterwards.
 */
export function newUserDelivery(ctx: Context, userId: string): BatchItem<"sqlite">[] {
  const url = ctx.settings.WEBHOOK_URL;
  if (url === "") return [];
  const payload = sql`(SELECT json_object('event', 'new_user', 'user', json_object('email', email, 'name', name))
    FROM ${users} WHERE ${users.id} = ${userId})`;
  return [
    followServiceUrl(ctx, url),
    ...deliveryStatements(ctx, {
      userId: null,
      event: "new_user",
      payload,
      condition: sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${userId})`,
    }),
  ];
}

export interface FinishedReply {
  userId: string;
  chatId: string;
  /** The text of the answer, as the transaction finds it; cut where it is long. */
  lastMessage: SQL;
  /** Has to hold besides, decided in the same transaction. */
  condition: SQL;
  /** Where the same reply may be finished more than once: its own, and it is told once. */
  id?: string;
}

/**
 * Adds a delivery about a finished reply to the person's webhook, if they have one that is switched on: for the batch
 * that ends the message. The caller has checked their presence and permission. Call `wakeDeliveries` afterwards.
 */
export function chatResponseDelivery(services: Pick<Services, "db">, reply: FinishedReply): BatchItem<"sqlite">[] {
  const title = cut(sql`(SELECT title FROM chats WHERE id = ${reply.chatId})`, maxTitleLength);
  const chat = sql`json_object('id', ${reply.chatId}, 'title', ${title}, 'last_message', ${cut(reply.lastMessage, maxTextLength)})`;
  return deliveryStatements(services, {
    userId: reply.userId,
    event: "chat_response",
    payload: sql`json_object('event', 'chat_response', 'chat', ${chat})`,
    condition: reply.condition,
    ...(reply.id === undefined ? {} : { id: reply.id }),
  });
}

interface NewDelivery {
  /** Whose endpoint; null for the service's. */
  userId: string | null;
  event: WebhookEvent;
  /** JSON. */
  payload: SQL;
  condition: SQL;
  id?: string;
}

/**
 * The delivery and its job. What happens while the service's receiver is switched off because it failed is kept too, so that
 * it can be sent later by hand; people who switched theirs off get nothing.
 */
function deliveryStatements(services: Pick<Services, "db">, delivery: NewDelivery): BatchItem<"sqlite">[] {
  const { db } = services;
  const { userId, event, payload, condition, id = newDeliveryId() } = delivery;
  const now = Date.now();
  const owner = userId ?? serviceEndpoint;
  const isOn = sql`(SELECT is_enabled FROM ${webhookEndpoints} WHERE ${eq(webhookEndpoints.owner, owner)} AND url <> '')`;
  const isKept =
    userId === null
      ? sql`EXISTS (SELECT 1 FROM ${webhookEndpoints} WHERE ${eq(webhookEndpoints.owner, owner)} AND (is_enabled = 1 OR disabled_reason IS NOT NULL))`
      : sql`${isOn} = 1 AND ${hasJobRoom("deliver", userId, maxWaitingDeliveries)}`;
  return [
    insertWhere(
      db,
      webhookDeliveries,
      {
        id,
        endpointId: sql`(SELECT id FROM ${webhookEndpoints} WHERE ${eq(webhookEndpoints.owner, owner)})`,
        event,
        payload,
        state: sql`CASE ${isOn} WHEN 1 THEN 'pending' ELSE 'cancelled' END`,
        nextAttemptAt: sql`CASE ${isOn} WHEN 1 THEN ${now} END`,
        createdAt: now,
        finishedAt: sql`CASE ${isOn} WHEN 1 THEN NULL ELSE ${now} END`,
      },
      sql`${isKept} AND ${condition} AND NOT EXISTS (SELECT 1 FROM ${webhookDeliveries} WHERE ${webhookDeliveries.id} = ${id})`,
    ),
    // Of one that was there already the job may be under way.
    deliverJob(services, { id, userId, now }, sql`changes() > 0`),
  ];
}

/** The job of a delivery that precedes it in the batch, if it is pending. */
export function deliverJob(
  services: Pick<Services, "db">,
  { id, userId, now }: { id: string; userId: string | null; now: number },
  condition: SQL = sql`TRUE`,
) {
  return addJobStatement(services, {
    kind: "deliver",
    subject: id,
    userId,
    deadline: now + maxDeliveryMs,
    condition: sql`${condition} AND EXISTS (SELECT 1 FROM ${webhookDeliveries} WHERE ${webhookDeliveries.id} = ${id} AND state = 'pending')`,
  });
}

/** Call it after the batch that has created an account. */
export function wakeNewUserDelivery(ctx: Pick<Context, "jobs" | "waitUntil" | "settings">): void {
  if (ctx.settings.WEBHOOK_URL !== "") wakeDeliveries(ctx);
}

/** Starts pending deliveries immediately; call it after the batch. Nobody needs to wait. */
export function wakeDeliveries(services: Pick<Services, "jobs" | "waitUntil">): void {
  services.waitUntil(services.jobs.wake("deliver"));
}

/** Cut by the database: it counts characters, and never leaves half of one. */
function cut(text: SQL, maxLength: number): SQL {
  return sql`(SELECT CASE WHEN length(t) > ${maxLength} THEN substr(t, 1, ${maxLength - 1}) || '…' ELSE t END FROM (SELECT coalesce(${text}, '') AS t))`;
}
