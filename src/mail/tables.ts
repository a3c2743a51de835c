import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id } from "../db/columns.ts";
import { users } from "../people/users/tables.ts";
import { mailKinds, mailStates } from "./schema.ts";

/** E-mails, sent and pending, written in the transaction of what they tell, so that none is lost. Times are epoch milliseconds. */
export const mailMessages = sqliteTable(
  "mail_messages",
  {
    /** Also the left part of the `Message-ID`: one that is sent twice is recognized. */
    id: id(),
    kind: text("kind", { enum: mailKinds }).notNull(),
    /** The account that it is sent to, if there is one. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** Address, subject and text as sealed JSON: the text may have a link that opens an account. Empty once it is over. */
    sealedContent: text("sealed_content").notNull(),
    state: text("state", { enum: mailStates }).notNull().default("pending"),
    /** How often it was begun. */
    attempts: integer("attempts").notNull().default(0),
    /** Why it was not taken, in plain words; null otherwise. */
    error: text("error"),
    nextAttemptAt: integer("next_attempt_at"),
    /** After that it is of no use, because its link has ended. */
    expiresAt: integer("expires_at").notNull(),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [index("mail_messages_user").on(table.userId), index("mail_messages_created").on(table.createdAt)],
);

/** The password for the mail server that an administrator has entered: one row at most. */
export const mailPasswords = sqliteTable("mail_passwords", {
  /** Always `smtp`. */
  id: id(),
  sealedPassword: text("sealed_password").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
