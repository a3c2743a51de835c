import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json } from "../../db/columns.ts";
import { users } from "../../people/users/tables.ts";
import { chats } from "../../stored-chats/tables.ts";

/**
 * The state of a file. `stored`: processing was never requested; `pending` until its text is searchable; then
 * `completed`, or `failed` with a reason.
 */
export const fileStates = ["stored", "pending", "completed", "failed"] as const;

/** Files of people; the bytes are in object storage under `files/<id>`. */
export const files = sqliteTable(
  "files",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Home of its owner when it came. */
    organizationId: text("organization_id"),
    /** The chat that it was made in, and goes with; null for what belongs to none. */
    chatId: text("chat_id").references(() => chats.id, { onDelete: "cascade" }),
    filename: text("filename").notNull(),
    /** By its content, not by what was said of it. */
    contentType: text("content_type").notNull(),
    /** Bytes. */
    size: integer("size").notNull(),
    /** SHA-256 of the bytes, hexadecimal; null for what plugins made. */
    sha256: text("sha256"),
    /** What its sender keeps with it. */
    meta: json<Record<string, unknown>>("meta").notNull().default({}),
    state: text("state", { enum: fileStates }).notNull().default("stored"),
    /** Of pending ones: what is being done. */
    stage: text("stage", { enum: ["waiting", "extracting", "embedding"] }),
    /** How far that is, and of how many. `total` is null while it is not known. */
    progressDone: integer("progress_done").notNull().default(0),
    progressTotal: integer("progress_total"),
    progressUnit: text("progress_unit", { enum: ["bytes", "pages", "slides", "sheets", "chunks"] }),
    /** Of failed ones: a `fileFailures` code, and the same in words for people. */
    errorCode: text("error_code"),
    error: text("error"),
    /**
     * Which of its texts counts: chunks and text of other versions are not there for anybody. 0: none yet. A new text gets the
     * next number and is swapped in when it is complete.
     */
    version: integer("version").notNull().default(0),
    /** How many texts were begun for it so far: no number is ever given twice, for what is swept later goes by them. */
    versions: integer("versions").notNull().default(0),
    /** SHA-256 of the text of that version, hexadecimal. */
    textSha256: text("text_sha256"),
    /** Length of that text in UTF-16 units, its chunks and its pages. */
    textLength: integer("text_length").notNull().default(0),
    chunkCount: integer("chunk_count").notNull().default(0),
    pageCount: integer("page_count"),
    createdAt: createdAt(),
    updatedAt: integer("updated_at").notNull().default(0),
  },
  (table) => [
    index("files_user").on(table.userId, table.createdAt, table.id),
    index("files_user_size").on(table.userId, table.size, table.id),
    index("files_created").on(table.createdAt, table.id),
    index("files_state").on(table.state, table.chunkCount),
    index("files_chat").on(table.chatId),
    index("files_pending")
      .on(table.updatedAt)
      .where(sql`state = 'pending'`),
  ],
);

/** Uploads in parts, or arriving now: only these rows know what object storage holds of them. */
export const uploads = sqliteTable(
  "uploads",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Where the bytes go, and what object storage calls the upload that is under way. */
    key: text("key").notNull(),
    storageId: text("storage_id").notNull(),
    filename: text("filename").notNull(),
    contentType: text("content_type").notNull(),
    /** Bytes in all; null where they come as they are sent. */
    size: integer("size"),
    /** Bytes that are set aside for it, see `person_totals`. */
    heldBytes: integer("held_bytes").notNull().default(0),
    /** Bytes of each part but the last. */
    partSize: integer("part_size"),
    meta: json<Record<string, unknown>>("meta").notNull(),
    createdAt: createdAt(),
    /** Epoch seconds; then it is thrown away. */
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("uploads_user").on(table.userId),
    index("uploads_expires").on(table.expiresAt),
    index("uploads_key").on(table.key),
  ],
);

export const uploadParts = sqliteTable(
  "upload_parts",
  {
    uploadId: text("upload_id")
      .notNull()
      .references(() => uploads.id, { onDelete: "cascade" }),
    /** From 1. */
    number: integer("number").notNull(),
    size: integer("size").notNull(),
    etag: text("etag").notNull(),
    sha256: text("sha256").notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.number] })],
);

/**
 * Texts of files, complete or in progress; the text itself is in object storage under `files/<id>/text/<version>`, or is the file
 * itself where `sha256` is the same. Its passages are in `file_chunks`. Deleting a row deletes all of that, by a trigger.
 */
export const fileTexts = sqliteTable(
  "file_texts",
  {
    /** Never given twice. The numbers of its passages begin with it: see src/documents/retrieval/chunk-number.ts. */
    number: integer("number").primaryKey({ autoIncrement: true }),
    fileId: text("file_id")
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    /** Somebody wrote it, in place of what the file says. */
    given: flag("given").notNull().default(false),
    /** Null until all of it lies in object storage: SHA-256 in hexadecimal, length in UTF-16 units, pages. */
    sha256: text("sha256"),
    length: integer("length"),
    pageCount: integer("page_count"),
    /** How many passages it has; null until all of them are stored. */
    chunkCount: integer("chunk_count"),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("file_texts_version").on(table.fileId, table.version)],
);

/** Abandoned uploads in object storage: a trigger adds them, and a timer ends them. */
export const droppedUploads = sqliteTable("dropped_uploads", {
  storageId: text("storage_id").primaryKey(),
  key: text("key").notNull(),
});
