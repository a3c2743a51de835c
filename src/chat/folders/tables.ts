import { type AnySQLiteColumn, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";
import { organizations } from "../../people/organizations/tables.ts";
import { users } from "../../people/users/tables.ts";

/** Folders of chats. Deleting one takes the folders in it and its grants; chats in it stay, in no folder, by a trigger. */
export const folders = sqliteTable(
  "folders",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Home of its owner when it was made. */
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** The folder that it is in; null at the top. Never below itself, and not deeper than `maxFolderDepth`. */
    parentId: text("parent_id").references((): AnySQLiteColumn => folders.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** Instructions for models, in every chat in it; empty for none. */
    instructions: text("instructions").notNull().default(""),
    /** Models of a new chat in it; empty for the person's own default. */
    modelIds: json<string[]>("model_ids").notNull(),
    /** What clients keep with it, for example an icon. */
    meta: json<Record<string, unknown>>("meta").notNull(),
    /** Whether its owner sees what is in it in the list. */
    isExpanded: flag("is_expanded").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("folders_user").on(table.userId, table.parentId),
    index("folders_parent").on(table.parentId),
    index("folders_organization").on(table.organizationId),
  ],
);

/** Files and knowledge bases whose text is searched for every chat in a folder. A trigger takes those of deleted ones away. */
export const folderReferences = sqliteTable(
  "folder_references",
  {
    folderId: text("folder_id")
      .notNull()
      .references(() => folders.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["file", "collection"] }).notNull(),
    referenceId: text("reference_id").notNull(),
    /** From 0, in the order in which they are shown. */
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.folderId, table.kind, table.referenceId] }),
    index("folder_references_reference").on(table.kind, table.referenceId),
  ],
);
