import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { channelMessages } from "../tables.ts";

/** Internal data of a model's answer in a channel; never shown. */
export const channelReplies = sqliteTable("channel_replies", {
  /** The message that the answer stands in. */
  messageId: text("message_id")
    .primaryKey()
    .references(() => channelMessages.id, { onDelete: "cascade" }),
  /** The message that asks. Not a foreign key: what was asked may be deleted. */
  questionId: text("question_id").notNull(),
  /** The credential of the person who asked (`user_id` of the message): the answer may be made as long as this is valid. */
  credentialKind: text("credential_kind", { enum: ["session", "api-key"] }).notNull(),
  credentialId: text("credential_id").notNull(),
  /** Public base address, as they asked it. */
  origin: text("origin").notNull(),
});
