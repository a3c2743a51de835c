import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, json, updatedAt } from "../../db/columns.ts";
import { organizations } from "../organizations/tables.ts";
import type { PartialPermissions } from "../permissions.ts";
import { users } from "../users/tables.ts";

export const groups = sqliteTable(
  "groups",
  {
    id: id(),
    /** Those of the default organization hold for everyone; those of another one for its people only. */
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    /** Who made it; null once that account is gone. */
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    externalId: text("external_id"),
    permissions: json<PartialPermissions>("permissions").notNull(),
    /** Who may share with the group: everyone, its members, or administrators only. */
    share: text("share", { enum: ["everyone", "members", "nobody"] })
      .notNull()
      .default("members"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("groups_name").on(sql`lower(name)`, table.id),
    uniqueIndex("groups_external_id").on(table.externalId),
    index("groups_organization_name").on(table.organizationId, sql`name COLLATE NOCASE`, table.id),
    index("groups_user").on(table.userId),
  ],
);

export const groupMembers = sqliteTable(
  "group_members",
  {
    groupId: text("group_id")
      .notNull()
      .references(() => groups.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The sign-in provider whose claim said so, and which may take it back; null for what people and SCIM have set. */
    source: text("source"),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.userId] }), index("group_members_user").on(table.userId)],
);
