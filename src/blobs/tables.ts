import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Keys in object storage that are no longer referenced: triggers add them, and a timer deletes them and their objects.
 */
export const droppedBlobs = sqliteTable("dropped_blobs", { key: text("key").primaryKey() });
