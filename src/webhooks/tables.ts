import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, id, json } from "../db/columns.ts";
import { users } from "../people/users/tables.ts";
import { attemptErrors, deliveryStates, disabledReasons, webhookEvents } from "./schema.ts";

/** Webhooks: the service's own and one per person. Times are epoch milliseconds. */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    id: id(),
    /** Whose it is; null for the service's, of which there is one. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** `service`, or the owner's id: one endpoint for each. */
    owner: text("owner").notNull(),
    /** Of the service's: `WEBHOOK_URL` as it was when somebody last looked; a new one begins again. */
    url: text("url").notNull(),
    isEnabled: flag("is_enabled").notNull().default(true),
    /** Why it was switched off without its owner: `gone` (410) or `failing` (five days). Null otherwise. */
    disabledReason: text("disabled_reason", { enum: disabledReasons }),
    disabledAt: integer("disabled_at"),
    /** Of people's: also while they are at it. */
    isAlways: flag("is_always").notNull().default(false),
    /** `whsec_...`, sealed; empty until it is needed first. */
    sealedSecret: text("sealed_secret").notNull(),
    /** The one before, still used to sign until `overlapUntil`. */
    sealedPrevious: text("sealed_previous"),
    overlapUntil: integer("overlap_until"),
    /** Since when nothing has been taken; null while it works. */
    failingSince: integer("failing_since"),
    /** Not before: its receiver said so (`Retry-After`). */
    pausedUntil: integer("paused_until"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [uniqueIndex("webhook_endpoints_owner").on(table.owner), index("webhook_endpoints_user").on(table.userId)],
);

/** Pending and finished deliveries, written in the transaction of the event, so that no event is lost. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    /** `msg_...`: the receiver sees it in every attempt, so that it can tell the second one. */
    id: id(),
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    event: text("event", { enum: webhookEvents }).notNull(),
    /** The contract's body, whatever shape the receiver gets it in. */
    payload: json<Record<string, unknown>>("payload").notNull(),
    state: text("state", { enum: deliveryStates }).notNull().default("pending"),
    /** Of one that was sent again by hand: the first one, whose id the receiver sees. */
    replayOf: text("replay_of"),
    /** How often it was begun. */
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: integer("next_attempt_at"),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    index("webhook_deliveries_endpoint").on(table.endpointId, table.id),
    index("webhook_deliveries_pending")
      .on(table.endpointId)
      .where(sql`state = 'pending'`),
    index("webhook_deliveries_created").on(table.createdAt),
  ],
);

/** Attempts, written before they are sent, with the response; bodies are truncated, secrets removed. */
export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    deliveryId: text("delivery_id")
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    startedAt: integer("started_at").notNull(),
    /** Milliseconds. */
    duration: integer("duration").notNull(),
    url: text("url").notNull(),
    requestHeaders: json<Record<string, string>>("request_headers").notNull(),
    requestBody: text("request_body").notNull(),
    /** Null where there was no answer: `error` says why. */
    status: integer("status"),
    responseHeaders: json<Record<string, string>>("response_headers"),
    responseBody: text("response_body"),
    /** Null for an answer that counts; `unfinished` until there is an end. */
    error: text("error", { enum: attemptErrors }),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);
