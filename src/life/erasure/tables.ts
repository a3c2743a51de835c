import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, json } from "../../db/columns.ts";
import { erasureStates } from "./schema.ts";

/** Erasures of people, those that are over included. A job does the work step by step. */
export const erasures = sqliteTable(
  "erasures",
  {
    id: id(),
    /** The person; null as soon as they are erased. */
    userId: text("user_id"),
    /** What stands for them afterwards: a hash of their id. */
    subjectHash: text("subject_hash").notNull(),
    /** Who gets what is handed over. */
    successorId: text("successor_id").notNull(),
    state: text("state", { enum: erasureStates }).notNull(),
    /** What is done next; steps before it are over. */
    step: text("step").notNull(),
    /** Where a step that goes through a table in slices goes on. */
    place: text("place").notNull().default(""),
    /** How many of each kind: `{"removed.chats": 12}`. */
    counts: json<Record<string, number>>("counts").notNull(),
    /** Why it failed. */
    error: text("error"),
    /** Who asked for it, and how. */
    startedBy: text("started_by").notNull(),
    startedKind: text("started_kind").notNull(),
    organizationId: text("organization_id").notNull(),
    createdAt: createdAt(),
    finishedAt: integer("finished_at"),
  },
  (table) => [uniqueIndex("erasures_user").on(table.userId)],
);
