import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";
import { organizations } from "../organizations/tables.ts";

export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** Always lower case: an address is one address whatever its case. */
    email: text("email").notNull().unique(),
    name: text("name").notNull(),
    role: text("role", { enum: ["admin", "user", "pending"] }).notNull(),
    active: flag("active").notNull().default(true),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    organizationRole: text("organization_role", { enum: ["admin", "member"] })
      .notNull()
      .default("member"),
    bio: text("bio"),
    gender: text("gender"),
    dateOfBirth: text("date_of_birth"),
    timezone: text("timezone"),
    settings: json<Record<string, unknown>>("settings"),
    info: json<Record<string, unknown>>("info"),
    oauth: json<Record<string, { sub: string }>>("oauth"),
    scim: json<Record<string, { external_id: string }>>("scim"),
    lastActiveAt: integer("last_active_at").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("users_name").on(sql`name COLLATE NOCASE`, table.id),
    index("users_role").on(table.role, table.id),
    index("users_created_at").on(table.createdAt, table.id),
    index("users_last_active_at").on(table.lastActiveAt, table.id),
    index("users_organization").on(table.organizationId),
    check("users_email_lower", sql`${table.email} = lower(${table.email})`),
  ],
);

/** Apart from the person's row, so that no list or export can carry a hash along. */
export const passwords = sqliteTable("passwords", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** scrypt with its parameters: `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`. */
  hash: text("hash").notNull(),
  updatedAt: updatedAt(),
});

/** Apart too: a picture may be a data URL of some hundred kilobytes, and lists of people must not read over it. */
export const profileImages = sqliteTable("profile_images", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** An http(s) address, or a data URL of a PNG, JPEG, WebP or GIF. */
  url: text("url").notNull(),
  updatedAt: updatedAt(),
});
