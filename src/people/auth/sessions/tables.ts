import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "../../../db/columns.ts";
import { users } from "../../users/tables.ts";

/** One row for each token given out; its id is the token's `jti`. A token without its row is worth nothing. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    userAgent: text("user_agent").notNull().default(""),
    createdAt: createdAt(),
    lastUsedAt: integer("last_used_at").notNull(),
    /** Of a sign-in through an identity provider: which one, its `sid` and `sub` (back-channel logout names them) and the sealed ID token. */
    provider: text("provider"),
    providerSession: text("provider_session"),
    providerSubject: text("provider_subject"),
    sealedIdToken: text("sealed_id_token"),
    /** Null for one without an end. */
    expiresAt: integer("expires_at"),
  },
  (table) => [
    index("sessions_user").on(table.userId),
    index("sessions_expires_at").on(table.expiresAt),
    index("sessions_provider").on(table.provider, table.providerSession),
    index("sessions_provider_subject").on(table.provider, table.providerSubject),
  ],
);
