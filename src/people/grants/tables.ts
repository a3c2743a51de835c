import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "../../db/columns.ts";

/** Who may read or write a resource. `principal_id` `*` with `user` means everyone who is signed in. */
export const grants = sqliteTable(
  "grants",
  {
    id: id(),
    resourceType: text("resource_type", {
      enum: ["model", "tool", "tool_server", "knowledge", "prompt", "folder", "shared_chat"],
    }).notNull(),
    resourceId: text("resource_id").notNull(),
    principalType: text("principal_type", { enum: ["user", "group", "organization"] }).notNull(),
    principalId: text("principal_id").notNull(),
    permission: text("permission", { enum: ["read", "write"] }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("grants_unique").on(
      table.resourceType,
      table.resourceId,
      table.principalType,
      table.principalId,
      table.permission,
    ),
    index("grants_principal").on(table.principalType, table.principalId, table.resourceType, table.resourceId),
  ],
);
