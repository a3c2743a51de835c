import { sql } from "drizzle-orm";
import * as z from "zod";
import { requireAdmin } from "../../access.ts";
import { linkFileReady } from "../../documents/knowledge/link-file.ts";
import { writableByPerson } from "../../documents/knowledge/readable.ts";
import { maxDepth } from "../../documents/knowledge/schema.ts";
import { knowledge } from "../../documents/knowledge/tables.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { cutText } from "../../lib/cut-text.ts";
import { fitObject } from "../../shared/moving-in/fit-message.ts";
import { grantReferences, grantStatements, grantsField } from "../grants.ts";
import { defineKind } from "../kind.ts";
import {
  freeName,
  givenNotes,
  homeOf,
  kept,
  nameFrom,
  noOwner,
  optionalId,
  optionalTime,
  takenIn,
} from "../record-parts.ts";
import { anyRecord, sourceId } from "../schema.ts";

const maxDescription = 10_000;

const knowledgeRecord = anyRecord.extend({
  person_id: optionalId,
  /** Of one that nobody owns. */
  organization_id: optionalId,
  name: z.string(),
  description: z.string().default(""),
  meta: kept,
  access_grants: grantsField,
  created_at: optionalTime,
  updated_at: optionalTime,
  notes: givenNotes,
});

export const knowledgeKind = defineKind<z.infer<typeof knowledgeRecord>>({
  shape: knowledgeRecord,
  references: (record) => [
    ...(record.person_id ? [{ kind: "person", id: record.person_id }] : []),
    ...(record.organization_id ? [{ kind: "organization", id: record.organization_id }] : []),
    ...grantReferences(record.access_grants),
  ],
  taken: takenIn("knowledge"),
  plan(run, record, id) {
    const { ctx } = run;
    const userId = record.person_id ? run.find("person", record.person_id) : undefined;
    const home = record.organization_id ? run.find("organization", record.organization_id) : undefined;
    if (userId === undefined && (record.person_id || home === undefined)) return noOwner;
    const description = cutText(cleanText(record.description).trim(), maxDescription);
    const isCut = cleanText(record.description).trim().length > maxDescription;
    const createdAt = record.created_at ?? ctx.now();
    const given = grantStatements(run, "knowledge", id, record.access_grants);
    return {
      notes: [...record.notes, ...(isCut ? ["Its description was too long: it was cut"] : []), ...given.notes],
      size: description.length,
      statements: [
        ctx.db.insert(knowledge).values({
          id,
          userId: userId ?? null,
          organizationId: userId === undefined ? home! : homeOf(userId),
          name: nameFrom(record.name, { max: 200, otherwise: "Knowledge" }),
          description,
          meta: fitObject(record.meta ?? {}, 20_000),
          createdAt,
          updatedAt: record.updated_at ?? createdAt,
        }),
        ...given.statements,
      ],
    };
  },
});

const directoryRecord = anyRecord.extend({
  knowledge_id: sourceId,
  parent_id: optionalId,
  name: z.string(),
  created_at: optionalTime,
  updated_at: optionalTime,
  notes: givenNotes,
});

const maxDirectoryName = 255;

export const directoryKind = defineKind<z.infer<typeof directoryRecord>>({
  shape: directoryRecord,
  references: (record) => [
    { kind: "knowledge", id: record.knowledge_id },
    ...(record.parent_id ? [{ kind: "knowledge_directory", id: record.parent_id }] : []),
  ],
  taken: takenIn("knowledge_directories"),
  readsStored: true,
  async plan(run, record, id) {
    const { ctx } = run;
    const knowledgeId = run.find("knowledge", record.knowledge_id);
    if (knowledgeId === undefined) return { leftOut: "Its knowledge base wasn't imported" };
    const notes = [...record.notes];
    const wanted = record.parent_id ? run.find("knowledge_directory", record.parent_id) : undefined;
    const [parent] =
      wanted === undefined || run.dryRun
        ? []
        : await ctx.db.all<{ depth: number }>(sql`
      WITH RECURSIVE up(id, parent_id, depth) AS (
        SELECT id, parent_id, 1 FROM knowledge_directories WHERE id = ${wanted} AND knowledge_id = ${knowledgeId}
        UNION ALL SELECT d.id, d.parent_id, up.depth + 1 FROM up JOIN knowledge_directories d ON d.id = up.parent_id WHERE up.depth < 100
      ) SELECT depth FROM up ORDER BY depth DESC LIMIT 1`);
    const parentId = wanted !== undefined && (run.dryRun || (parent && parent.depth < maxDepth)) ? wanted : null;
    if (record.parent_id && parentId === null)
      notes.push("It's at the top here: the directory around it wasn't imported, or is too deep");
    const beside = await ctx.db.all<{ name: string }>(
      sql`SELECT name FROM knowledge_directories WHERE knowledge_id = ${knowledgeId} AND parent_id IS ${parentId}`,
    );
    const taken = new Set(beside.map(({ name }) => name));
    const plain = record.name.replaceAll(/[\\/]/g, "-");
    const own = nameFrom(/^\.{1,2}$/.test(plain.trim()) ? "" : plain, {
      max: maxDirectoryName,
      otherwise: "Directory",
    });
    const name = freeName(own, maxDirectoryName, (each) => taken.has(each));
    if (name !== record.name) notes.push("It has another name here: its own was taken or isn't allowed");
    const createdAt = record.created_at ?? ctx.now();
    return {
      notes,
      statements: [
        ctx.db.run(sql`INSERT INTO knowledge_directories (id, knowledge_id, parent_id, name, created_at, updated_at)
          VALUES (${id}, ${knowledgeId}, ${parentId}, ${name}, ${createdAt}, ${record.updated_at ?? createdAt})`),
      ],
    };
  },
});

const linkRecord = anyRecord.extend({
  knowledge_id: sourceId,
  file_id: sourceId,
  directory_id: optionalId,
  /** Where a sync tool has it from, relative and with `/`. */
  path: z.string().max(1000).nullish(),
  created_at: optionalTime,
  notes: givenNotes,
});

/** A file of a knowledge base: it is in it as soon as it has been read. */
export const knowledgeFileKind = defineKind<z.infer<typeof linkRecord>>({
  shape: linkRecord,
  references: (record) => [
    { kind: "knowledge", id: record.knowledge_id },
    { kind: "file", id: record.file_id },
    ...(record.directory_id ? [{ kind: "knowledge_directory", id: record.directory_id }] : []),
  ],
  plan(run, record) {
    const { ctx } = run;
    const knowledgeId = run.find("knowledge", record.knowledge_id);
    if (knowledgeId === undefined) return { leftOut: "Its knowledge base wasn't imported" };
    const fileId = run.find("file", record.file_id);
    if (fileId === undefined) return { leftOut: "Its file wasn't imported" };
    const directoryId = record.directory_id ? run.find("knowledge_directory", record.directory_id) : undefined;
    const notes = [...record.notes];
    if (record.directory_id && directoryId === undefined)
      notes.push("It's at the top of the knowledge base: its directory wasn't imported");
    const now = ctx.now();
    // Who puts it in is checked again when it has been read, and the base's owner may be switched off.
    const sender = sql`coalesce((SELECT users.id FROM knowledge JOIN users ON users.id = knowledge.user_id
      WHERE knowledge.id = ${knowledgeId} AND ${writableByPerson()}), ${requireAdmin(ctx).id})`;
    const directory = sql`(SELECT d.id FROM knowledge_directories d WHERE d.id = ${directoryId ?? null} AND d.knowledge_id = ${knowledgeId})`;
    return {
      notes,
      statements: [
        ctx.db.run(sql`INSERT INTO knowledge_waiting (knowledge_id, file_id, directory_id, path, user_id, created_at)
          SELECT ${knowledgeId}, ${fileId}, ${directory}, ${record.path ?? null}, ${sender}, ${record.created_at ?? now}
          WHERE NOT EXISTS (SELECT 1 FROM knowledge_files kf WHERE kf.knowledge_id = ${knowledgeId} AND kf.file_id = ${fileId})
          ON CONFLICT DO NOTHING`),
        ...linkFileReady(ctx.db, fileId),
      ],
    };
  },
});
