import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "../db/columns.ts";

/** Job kinds. Each has a handler and a concurrency limit. */
export const jobKinds = ["extract", "embed", "rebuild", "pull", "deliver", "reply", "mail", "packages"] as const;
export type JobKind = (typeof jobKinds)[number];

/**
 * Pending work. A row exists as long as the work has to be done; its runner holds a lease that must be renewed, so that
 * another can take over if its process dies. Queue messages only say that there is work.
 */
export const jobs = sqliteTable(
  "jobs",
  {
    id: id(),
    kind: text("kind", { enum: jobKinds }).notNull(),
    /** What it is about: the id of a file, of a pull, of a delivery, of an e-mail, of a message of a channel, of a download of packages or of an erasure, the number of an embedding space. One job of a kind for each. */
    subject: text("subject").notNull(),
    /** For whom: nobody's jobs hold up those of others. Null for the service's own. */
    userId: text("user_id"),
    /**
     * Its place among those of its kind: the smallest that is due is next. Each person's jobs stand one behind the other,
     * starting where the queue is now (`job_turns`), so that people take turns however many jobs one of them has.
     */
    turn: integer("turn").notNull().default(0),
    /** How often it has been begun since it last came forward. */
    attempts: integer("attempts").notNull().default(0),
    /** How often what it is about has ended the process that worked on it. */
    deaths: integer("deaths").notNull().default(0),
    /** Who does it; null while nobody does. */
    lease: text("lease"),
    /** Until when that is believed, epoch milliseconds. */
    leaseUntil: integer("lease_until"),
    /** Not before; epoch milliseconds. */
    dueAt: integer("due_at").notNull(),
    /** When it has failed whatever happens; epoch milliseconds. */
    deadline: integer("deadline").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("jobs_subject").on(table.kind, table.subject),
    index("jobs_due").on(table.kind, table.dueAt),
    index("jobs_turn").on(table.kind, table.turn),
    index("jobs_person").on(table.kind, table.userId, table.turn),
    index("jobs_leased").on(table.leaseUntil),
    index("jobs_deadline").on(table.deadline),
  ],
);

/** Where the queue of each kind is: the last turn that was taken. A trigger writes it. */
export const jobTurns = sqliteTable("job_turns", {
  kind: text("kind", { enum: jobKinds }).primaryKey(),
  turn: integer("turn").notNull(),
});
