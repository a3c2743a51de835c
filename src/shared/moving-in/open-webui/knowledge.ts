import { cleanObject } from "../clean-value.ts";
import { pagesOf } from "../pages-of.ts";
import { parentsFirst } from "../parents-first.ts";
import { objectOf, secondsOf, textOf } from "../read-values.ts";
import type { ImportedRecord, Reader, Row, RowSource, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { grantsOf, type ImportedGrant } from "./grants.ts";

/** Knowledge bases with their directories and files. */
export const knowledgeReader: Reader = {
  name: "knowledge",
  tables: ["knowledge"],
  async *read(reading) {
    const { source } = reading;
    if (!(await hasTable(source, "knowledge"))) return;
    const hasLinks = await hasTable(source, "knowledge_file");
    const hasDirectories = await hasTable(source, "knowledge_directory");
    for await (const page of pagesOf(source.rows("knowledge"), 50)) {
      const grants = await grantsOf(reading, "knowledge", page);
      for (const [index, row] of page.entries()) {
        const id = textOf(row, "id");
        if (id === undefined) continue;
        const base = baseOf(row, id, grants[index]!);
        yield base;
        if (!("record" in base)) continue;
        if (hasDirectories) yield* directoriesOf(source, id);
        yield* hasLinks ? linksOf(source, id) : oldLinksOf(row, id);
      }
    }
  },
};

function baseOf(row: Row, id: string, grants: ImportedGrant[]): Translated {
  const personId = textOf(row, "user_id");
  if (personId === undefined) return { leftOut: { kind: "knowledge", id, reason: "It has no owner" } };
  return {
    record: {
      kind: "knowledge",
      id,
      person_id: personId,
      name: textOf(row, "name") ?? "",
      description: textOf(row, "description") ?? "",
      meta: cleanObject(objectOf(row, "meta") ?? {}),
      access_grants: grants,
      ...timesOf(row),
    },
  };
}

async function* directoriesOf(source: RowSource, knowledgeId: string): AsyncGenerator<Translated> {
  const rows = await source.rowsOf("knowledge_directory", "knowledge_id", [knowledgeId], "id");
  const items = rows.flatMap((row) => {
    const id = textOf(row, "id");
    return id === undefined ? [] : [{ id, parentId: textOf(row, "parent_id") ?? null, row }];
  });
  for (const { item, parentId, moved } of parentsFirst(items)) {
    yield {
      record: {
        kind: "knowledge_directory",
        id: item.id,
        knowledge_id: knowledgeId,
        parent_id: parentId,
        name: textOf(item.row, "name") ?? "",
        notes: moved ? ["It's at the top here: the directory around it was missing, or there was a loop"] : [],
        ...timesOf(item.row),
      },
    };
  }
}

async function* linksOf(source: RowSource, knowledgeId: string): AsyncGenerator<Translated> {
  for (const row of await source.rowsOf("knowledge_file", "knowledge_id", [knowledgeId], "id")) {
    const id = textOf(row, "id");
    const fileId = textOf(row, "file_id");
    if (id === undefined || fileId === undefined) continue;
    const directoryId = textOf(row, "directory_id") ?? null;
    const createdAt = secondsOf(row, "created_at");
    yield { record: link(id, knowledgeId, fileId, { directory_id: directoryId, created_at: createdAt }) };
  }
}

/** Older versions have a list of files in the row. */
function* oldLinksOf(row: Row, knowledgeId: string): Generator<Translated> {
  const ids = objectOf(row, "data")?.["file_ids"];
  for (const fileId of Array.isArray(ids) ? new Set(ids as unknown[]) : []) {
    if (typeof fileId !== "string" || fileId === "") continue;
    yield { record: link(`${knowledgeId}/${fileId}`, knowledgeId, fileId) };
  }
}

/** A file in a knowledge base. */
export function link(
  id: string,
  knowledgeId: string,
  fileId: string,
  more: Record<string, unknown> = {},
): ImportedRecord {
  return { kind: "knowledge_file", id: id.slice(0, 300), knowledge_id: knowledgeId, file_id: fileId, ...more };
}

/** Times of a row, in epoch seconds. */
export function timesOf(row: Row): { created_at: number | undefined; updated_at: number | undefined } {
  const createdAt = secondsOf(row, "created_at");
  return { created_at: createdAt, updated_at: secondsOf(row, "updated_at") ?? createdAt };
}
