import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json } from "../../../db/columns.ts";
import { users } from "../../users/tables.ts";

/** Passkeys (WebAuthn credentials) of people. They work at the host name at which they were made. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** As the authenticator names it, in base64url. */
    credentialId: text("credential_id").notNull().unique(),
    /** In the form of COSE, in base64. It is no secret: it only checks signatures. */
    publicKey: text("public_key").notNull(),
    /** How often the authenticator says that it has signed; 0 for those that do not count. */
    counter: integer("counter").notNull(),
    /** How browsers reach it, such as `internal` or `usb`. */
    transports: json<string[]>("transports").notNull(),
    name: text("name").notNull(),
    /** Whether the person's other devices have it too, as it said when it was used last. */
    isSynced: flag("is_synced").notNull(),
    createdAt: createdAt(),
    /** Null until the first sign-in with it. */
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [index("passkeys_user").on(table.userId)],
);

/** Challenges that were answered: none is taken twice. The others are nowhere: they carry a seal and their end. */
export const usedChallenges = sqliteTable(
  "used_challenges",
  {
    /** SHA-256 of the challenge. */
    hash: text("hash").primaryKey(),
    /** Epoch seconds; after it the challenge is refused anyway. */
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("used_challenges_expires_at").on(table.expiresAt)],
);
