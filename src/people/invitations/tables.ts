import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, json } from "../../db/columns.ts";
import { organizations } from "../organizations/tables.ts";
import { users } from "../users/tables.ts";

/** Invitations by a link that makes one account. What they give never changes after they were made. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: id(),
    /** SHA-256 of the link's token: the database alone lets nobody in. */
    tokenHash: text("token_hash").notNull(),
    /** The only address that may use it; null for any. */
    email: text("email"),
    role: text("role", { enum: ["user", "admin"] }).notNull(),
    /** Null: the landing rules decide when it is used. */
    organizationId: text("organization_id").references(() => organizations.id, { onDelete: "cascade" }),
    groupIds: json<string[]>("group_ids").notNull(),
    /** Whose right it is: it is checked again when the link is used. */
    invitedBy: text("invited_by")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    /** Epoch seconds. */
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
    usedBy: text("used_by").references(() => users.id, { onDelete: "set null" }),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    uniqueIndex("invitations_token").on(table.tokenHash),
    index("invitations_organization").on(table.organizationId, table.id),
    index("invitations_invited_by").on(table.invitedBy),
    index("invitations_used_by").on(table.usedBy),
    index("invitations_expires_at").on(table.expiresAt),
  ],
);
