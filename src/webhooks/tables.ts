import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, id, json } from "../db/columns.ts";
import { users } from "../identity/users/tables.ts";

/** What others can hear of. `test` is sent by a button only. */
export const webhookEvents = ["new_user", "chat_response", "test"] as const;

/**
 * How a delivery stands: `pending` until it was taken (`delivered`), given up (`failed`), or its endpoint was changed or
 * switched off before (`cancelled`).
 */
export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const;

/** Addresses that are told of events: the service's own one and one of each person. Times are epoch milliseconds. */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    id: id(),
    /** Whose it is; null for the service's (`WEBHOOK_URL`), of which there is one. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** `service`, or the owner's id: one endpoint for each. */
    owner: text("owner").notNull(),
    url: text("url").notNull(),
    isEnabled: flag("is_enabled").notNull().default(true),
    /** Why it was switched off without its owner: `gone` (410) or `failing` (five days). Null otherwise. */
    disabledReason: text("disabled_reason", { enum: ["gone", "failing"] }),
    disabledAt: integer("disabled_at"),
    /** Of people's: also while they are at it. */
    isAlways: flag("is_always").notNull().default(false),
    /** `whsec_...`, sealed. */
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
  (table) => [uniqueIndex("webhook_endpoints_owner").on(table.owner)],
);

/** What has to be told, written in the transaction of what happened: nothing that happened is forgotten. */
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
    /** Of one that was sent again by hand: the first one. */
    replayOf: text("replay_of"),
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

/** Each try, with what was sent and what came back; bodies are cut, secrets left out. */
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
    /** `timeout`, `refused`, `private_address`, `redirect`, `tls`, `network` and so on; null for an answer. */
    error: text("error"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);
