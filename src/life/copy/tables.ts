import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "../../people/users/tables.ts";

/** Copies of people's data that are being sent now: one at a time for each person. */
export const dataCopies = sqliteTable("data_copies", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  lease: text("lease").notNull(),
  /** Until when it is believed, epoch seconds; renewed while it is sent. */
  leaseUntil: integer("lease_until").notNull(),
});
