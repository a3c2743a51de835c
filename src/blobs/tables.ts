import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Keys in object storage that nothing points at any more: triggers put them here, and a timer takes them away with what they name. */
export const droppedBlobs = sqliteTable("dropped_blobs", { key: text("key").primaryKey() });
