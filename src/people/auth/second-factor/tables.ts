import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "../../../db/columns.ts";
import { users } from "../../users/tables.ts";

/** The authenticator app of a person (RFC 6238): one each. */
export const totpSecrets = sqliteTable("totp_secrets", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Base32, sealed. */
  sealedSecret: text("sealed_secret").notNull(),
  /** When a code of it was entered first; null while it is being set up and counts for nothing. */
  confirmedAt: integer("confirmed_at"),
  /** The time step of the last code that was taken: none of it, or of one before, is taken again. */
  lastStep: integer("last_step").notNull().default(0),
  createdAt: createdAt(),
});

/** Codes for people who have lost their device. A row is gone when its code was used. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256: the codes have 80 random bits. */
    codeHash: text("code_hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** Sign-ins with a right password that wait for the second factor. A row is gone when its sign-in is finished. */
export const signInSteps = sqliteTable(
  "sign_in_steps",
  {
    /** SHA-256 of the token that the client sends back. */
    tokenHash: text("token_hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Epoch seconds. */
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("sign_in_steps_user").on(table.userId), index("sign_in_steps_expires_at").on(table.expiresAt)],
);
