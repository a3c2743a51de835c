import { integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * How the service did: a row for each minute of the last day, and for each hour of the last 90 days. Only on one machine,
 * where one isolate sees everything.
 */
export const figureHistory = sqliteTable(
  "figure_history",
  {
    /** Seconds that a row stands for: 60 or 3600. */
    span: integer("span").notNull(),
    /** When they begin, epoch seconds. */
    at: integer("at").notNull(),
    requests: integer("requests").notNull(),
    /** Requests that were answered with a 5xx. */
    errors: integer("errors").notNull(),
    /** Streamed answers that began, and how long people waited for them altogether. */
    firstBytes: integer("first_bytes").notNull(),
    firstByteMs: integer("first_byte_ms").notNull(),
    tokensIn: integer("tokens_in").notNull(),
    tokensOut: integer("tokens_out").notNull(),
    /** The most in that time. */
    jobs: integer("jobs").notNull(),
    people: integer("people").notNull(),
    /** At the end of that time. */
    diskUsed: integer("disk_used").notNull(),
    diskSize: integer("disk_size").notNull(),
  },
  (table) => [primaryKey({ columns: [table.span, table.at] })],
);
