import { sql } from "drizzle-orm";
import { foreignKey, index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, json, updatedAt } from "../../db/columns.ts";
import { organizations } from "../../people/organizations/tables.ts";
import { users } from "../../people/users/tables.ts";
import { files } from "../files/tables.ts";

/** Collections of files that people and models search. */
export const knowledge = sqliteTable(
  "knowledge",
  {
    id: id(),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    /** Home of its maker when it was made: only its people see it, unless it was shared with other organizations. */
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    meta: json<Record<string, unknown>>("meta").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("knowledge_organization").on(table.organizationId, table.updatedAt, table.id),
    index("knowledge_updated").on(table.updatedAt, table.id),
    index("knowledge_user").on(table.userId),
  ],
);

export const knowledgeDirectories = sqliteTable(
  "knowledge_directories",
  {
    id: id(),
    knowledgeId: text("knowledge_id")
      .notNull()
      .references(() => knowledge.id, { onDelete: "cascade" }),
    /** Null at the top. */
    parentId: text("parent_id"),
    name: text("name").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    foreignKey({ columns: [table.parentId], foreignColumns: [table.id] }).onDelete("cascade"),
    uniqueIndex("knowledge_directories_name").on(table.knowledgeId, table.parentId, table.name),
    uniqueIndex("knowledge_directories_top")
      .on(table.knowledgeId, table.name)
      .where(sql`parent_id IS NULL`),
    index("knowledge_directories_parent").on(table.parentId),
  ],
);

/** The files of a knowledge base: each content once. */
export const knowledgeFiles = sqliteTable(
  "knowledge_files",
  {
    knowledgeId: text("knowledge_id")
      .notNull()
      .references(() => knowledge.id, { onDelete: "cascade" }),
    fileId: text("file_id")
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    directoryId: text("directory_id").references(() => knowledgeDirectories.id, { onDelete: "set null" }),
    /** SHA-256 of the file's bytes; of its text where they are not known. */
    contentHash: text("content_hash").notNull(),
    /** Where a sync tool has it from, relative and with `/`; null where it came otherwise. */
    path: text("path"),
    /** Who put it in. */
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.knowledgeId, table.fileId] }),
    uniqueIndex("knowledge_files_content").on(table.knowledgeId, table.contentHash),
    index("knowledge_files_file").on(table.fileId),
    index("knowledge_files_directory").on(table.directoryId),
    index("knowledge_files_user").on(table.userId),
  ],
);

/**
 * Files sent to a knowledge base that are not in it yet: they are added when they have a text, or stay here with an
 * error.
 */
export const knowledgeWaiting = sqliteTable(
  "knowledge_waiting",
  {
    knowledgeId: text("knowledge_id")
      .notNull()
      .references(() => knowledge.id, { onDelete: "cascade" }),
    fileId: text("file_id")
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    directoryId: text("directory_id").references(() => knowledgeDirectories.id, { onDelete: "set null" }),
    /** As in `knowledgeFiles`. */
    path: text("path"),
    /** Who sent it: put in by them, with the rights that they have then. */
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.knowledgeId, table.fileId] }),
    index("knowledge_waiting_file").on(table.fileId),
    index("knowledge_waiting_directory").on(table.directoryId),
    index("knowledge_waiting_user").on(table.userId),
  ],
);

/** Knowledge of models, for everyone or for the people of one organization. Callers find only what they may read. */
export const modelKnowledge = sqliteTable(
  "model_knowledge",
  {
    id: id(),
    modelId: text("model_id").notNull(),
    /** Null for everyone. */
    organizationId: text("organization_id").references(() => organizations.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["collection", "file"] }).notNull(),
    targetId: text("target_id").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("model_knowledge_unique").on(table.modelId, table.organizationId, table.kind, table.targetId),
    uniqueIndex("model_knowledge_everyone")
      .on(table.modelId, table.kind, table.targetId)
      .where(sql`organization_id IS NULL`),
    index("model_knowledge_target").on(table.kind, table.targetId),
    index("model_knowledge_organization").on(table.organizationId),
  ],
);
