import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id } from "../db/columns.ts";
import { usageApis, usageStates } from "./schema.ts";

/**
 * Who asked which model. Plain texts, as what was used outlives people, keys, connections and organizations; "" where there is
 * none: no person for the service's own work, no key for sessions, no connection for what the service answers itself.
 */
const asked = () => ({
  userId: text("user_id").notNull(),
  keyId: text("key_id").notNull(),
  /** The person's home at that time. */
  organizationId: text("organization_id").notNull(),
  /** As it was asked for. */
  model: text("model").notNull(),
  /** What a made model stands on; the same where it is none. */
  baseModel: text("base_model").notNull(),
  connectionId: text("connection_id").notNull(),
  api: text("api", { enum: usageApis }).notNull(),
});

/** See `TokenUsage`; sums in `usage_days`. */
const tokens = () => ({
  input: integer("input").notNull(),
  cached: integer("cached").notNull(),
  cacheWrite: integer("cache_write").notNull(),
  output: integer("output").notNull(),
  reasoning: integer("reasoning").notNull(),
  total: integer("total").notNull(),
});

/** One row for each call of a model; kept for USAGE_RECORD_DAYS. */
export const usageRecords = sqliteTable(
  "usage_records",
  {
    id: id(),
    /** When the answer was over, epoch seconds. */
    at: integer("at").notNull(),
    ...asked(),
    state: text("state", { enum: usageStates }).notNull(),
    /** Why it failed. */
    code: text("code"),
    ...tokens(),
    isEstimated: flag("is_estimated").notNull(),
    /** The caller says that a monitor asked. */
    isProbe: flag("is_probe").notNull().default(false),
    /** A probe that counts in no quota. */
    isFree: flag("is_free").notNull().default(false),
    /** 1, or 0 for further calls of the same turn and for tasks, which nobody asked for. */
    requests: integer("requests").notNull(),
    /** Milliseconds from the question to the end, and to the first piece of a stream. */
    durationMs: integer("duration_ms").notNull(),
    firstMs: integer("first_ms"),
  },
  (table) => [
    index("usage_records_at").on(table.at, table.id),
    index("usage_records_user").on(table.userId, table.at, table.id),
    index("usage_records_organization").on(table.organizationId, table.at, table.id),
  ],
);

/** The same by day, kept forever. */
export const usageDays = sqliteTable(
  "usage_days",
  {
    /** Days since 1970 in UTC. */
    day: integer("day").notNull(),
    ...asked(),
    calls: integer("calls").notNull(),
    requests: integer("requests").notNull(),
    errors: integer("errors").notNull(),
    ...tokens(),
    /** Of the total: counted here, because the provider said nothing. */
    estimated: integer("estimated").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** Of the calls: those of monitors. */
    probes: integer("probes").notNull().default(0),
    /** Of the requests and of the total: what counts in no quota. */
    freeRequests: integer("free_requests").notNull().default(0),
    freeTotal: integer("free_total").notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [table.userId, table.day, table.keyId, table.organizationId, table.model, table.connectionId, table.api],
    }),
    index("usage_days_day").on(table.day),
    index("usage_days_organization").on(table.organizationId, table.day),
  ],
);
