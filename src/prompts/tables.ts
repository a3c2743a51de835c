import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../db/columns.ts";
import { organizations } from "../people/organizations/tables.ts";
import { users } from "../people/users/tables.ts";

/** Stored texts that people insert into a chat with `/command`. */
export const prompts = sqliteTable(
  "prompts",
  {
    id: id(),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    /** Home of its maker when it was made: only its people see it, unless it was shared with other organizations. */
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** Without the slash; each person has it once in each organization. */
    command: text("command").notNull(),
    name: text("name").notNull(),
    content: text("content").notNull(),
    tags: json<string[]>("tags").notNull(),
    /** Whether it is offered in chats. */
    isActive: flag("is_active").notNull().default(true),
    /** The version that the text is of. */
    versionId: text("version_id").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("prompts_command").on(table.userId, table.organizationId, table.command),
    index("prompts_updated").on(table.updatedAt, table.id),
    index("prompts_by_command").on(table.command),
    index("prompts_organization").on(table.organizationId, table.updatedAt, table.id),
  ],
);

/** Versions of a prompt's name, command, text and tags; the newest are kept. */
export const promptVersions = sqliteTable(
  "prompt_versions",
  {
    id: id(),
    promptId: text("prompt_id")
      .notNull()
      .references(() => prompts.id, { onDelete: "cascade" }),
    /** The version that was changed; null for the first one. */
    parentId: text("parent_id"),
    command: text("command").notNull(),
    name: text("name").notNull(),
    content: text("content").notNull(),
    tags: json<string[]>("tags").notNull(),
    /** What its writer said about the change. */
    message: text("message").notNull().default(""),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (table) => [
    index("prompt_versions_prompt").on(table.promptId, table.id),
    index("prompt_versions_user").on(table.userId),
  ],
);
