import { sql } from "drizzle-orm";
import * as z from "zod";
import { keptJson } from "../../chat/folders/folder-row.ts";
import { depthOf } from "../../chat/folders/folder-statements.ts";
import { maxFolderDepth } from "../../chat/folders/schema.ts";
import type { Database } from "../../db/client.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { cutText } from "../../lib/cut-text.ts";
import { maxFolderInstructions, maxFolderName } from "../../shared/folder-limits.ts";
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

const maxReferences = 100;
const maxKeptBytes = 20_000;

const folderRecord = anyRecord.extend({
  person_id: sourceId,
  parent_id: optionalId,
  name: z.string(),
  instructions: z.string().default(""),
  model_ids: z.array(z.string().min(1).max(256)).max(1000).default([]),
  files: z
    .array(z.object({ type: z.enum(["file", "collection"]), id: sourceId }))
    .max(10_000)
    .default([]),
  meta: kept,
  is_expanded: z.boolean().default(false),
  access_grants: grantsField,
  created_at: optionalTime,
  updated_at: optionalTime,
  notes: givenNotes,
});

const kindOf = { file: "file", collection: "knowledge" } as const;

export const folderKind = defineKind<z.infer<typeof folderRecord>>({
  shape: folderRecord,
  references: (record) => [
    { kind: "person", id: record.person_id },
    ...(record.parent_id ? [{ kind: "folder", id: record.parent_id }] : []),
    ...record.files.map(({ type, id }) => ({ kind: kindOf[type], id })),
    ...record.model_ids.map((id) => ({ kind: "model", id })),
    ...grantReferences(record.access_grants),
  ],
  taken: takenIn("folders"),
  readsStored: true,
  async plan(run, record, id) {
    const { ctx } = run;
    const userId = run.find("person", record.person_id);
    if (userId === undefined) return noOwner;
    const notes = [...record.notes];
    const wanted = record.parent_id ? run.find("folder", record.parent_id) : undefined;
    const found = wanted === undefined ? undefined : await findPlace(ctx.db, userId, wanted);
    const parentId = run.dryRun ? (wanted ?? null) : (found ?? null);
    if (record.parent_id && parentId === null)
      notes.push(
        "It's at the top here: the folder around it wasn't imported, belongs to somebody else, or is too deep",
      );
    const beside = await ctx.db.all<{ name: string }>(
      sql`SELECT lower(name) AS name FROM folders WHERE user_id = ${userId} AND parent_id IS ${parentId}`,
    );
    const taken = new Set(beside.map(({ name }) => name));
    const own = nameFrom(record.name, { max: maxFolderName, otherwise: "Folder" });
    const name = freeName(own, maxFolderName, (each) => taken.has(each.toLowerCase()));
    if (name !== own) notes.push("There was a folder with this name: it has another one here");
    const instructions = cutText(cleanText(record.instructions), maxFolderInstructions);
    if (instructions.length < record.instructions.length) notes.push("Its instructions were too long: they were cut");
    const files = record.files.flatMap(({ type, id: fileId }) => {
      const here = run.find(kindOf[type], fileId);
      return here === undefined ? [] : [[type, here]];
    });
    const kept = files.slice(0, maxReferences);
    if (kept.length < record.files.length)
      notes.push(
        `${record.files.length - kept.length} of its files and knowledge bases were left out: they weren't imported, or are too many`,
      );
    const models = record.model_ids.slice(0, 50).map((model) => run.find("model", model) ?? model);
    const now = ctx.now();
    const createdAt = record.created_at ?? now;
    const meta = keptJson(undefined, fitObject(record.meta ?? {}, maxKeptBytes)) ?? "{}";
    const given = grantStatements(run, "folder", id, record.access_grants);
    return {
      notes: [...notes, ...given.notes],
      size: instructions.length,
      statements: [
        ctx.db
          .run(sql`INSERT INTO folders (id, user_id, organization_id, parent_id, name, instructions, model_ids, meta, is_expanded, created_at, updated_at)
          VALUES (${id}, ${userId}, ${homeOf(userId)}, ${parentId}, ${name}, ${instructions}, ${JSON.stringify(models)}, ${meta},
            ${record.is_expanded ? 1 : 0}, ${createdAt}, ${record.updated_at ?? createdAt})`),
        ctx.db.run(sql`INSERT INTO folder_references (folder_id, kind, reference_id, position)
          SELECT ${id}, value ->> 0, value ->> 1, key FROM json_each(${JSON.stringify(kept)}) WHERE TRUE ON CONFLICT DO NOTHING`),
        ...given.statements,
      ],
    };
  },
});

/** The folder, if it is the person's and has room below it. */
async function findPlace(db: Database, userId: string, id: string): Promise<string | undefined> {
  const [row] = await db.all<{ depth: number }>(
    sql`SELECT ${depthOf(id)} AS depth FROM folders f WHERE f.id = ${id} AND f.user_id = ${userId}`,
  );
  return row && row.depth < maxFolderDepth ? id : undefined;
}
