import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, updatedAt } from "../../db/columns.ts";
import { pullStates } from "./schema.ts";

/** Downloads of models requested here; finished ones stay until they are removed. */
export const localModelPulls = sqliteTable(
  "local_model_pulls",
  {
    id: id(),
    /** A plain text: connections of the environment have no row. */
    connectionId: text("connection_id").notNull(),
    /** As the runtime knows it. */
    model: text("model").notNull(),
    state: text("state", { enum: pullStates }).notNull(),
    /** The runtime's own word for what it is at. */
    status: text("status").notNull().default(""),
    /** Bytes of all layers that the runtime has spoken of. */
    completed: integer("completed").notNull().default(0),
    total: integer("total").notNull().default(0),
    error: text("error"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // Nobody needs the same model twice at the same time.
    uniqueIndex("local_model_pulls_running")
      .on(table.connectionId, table.model)
      .where(sql`state = 'running'`),
    index("local_model_pulls_created_at").on(table.createdAt, table.id),
  ],
);
