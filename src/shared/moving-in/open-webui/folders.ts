import { cleanObject } from "../clean-value.ts";
import { parentsFirst } from "../parents-first.ts";
import { flagOf, isObject, objectOf, textOf } from "../read-values.ts";
import type { ImportedRecord, Reader, Row, RowSource } from "../row-source.ts";
import { hasTable, rowsInOrder } from "../rows-in-order.ts";
import { grantsOf, type ImportedGrant } from "./grants.ts";
import { timesOf } from "./knowledge.ts";

/** How deep folders may be inside each other. */
const maxDepth = 20;

const reasons = {
  missing: "It's at the top here: the folder around it does not exist",
  loop: "It's at the top here: the folders around it were inside each other",
  deep: `It's at the top here: folders can be at most ${maxDepth} deep`,
};

/** Folders of chats, parents before what is in them. */
export const foldersReader: Reader = {
  name: "folders",
  tables: ["folder"],
  async *read(reading) {
    const { source } = reading;
    const owners = await folderOwners(source);
    const items = [...owners].map(([id, { parentId, personId }]) => ({
      id,
      // Folders of other people cannot be its parent.
      parentId: parentId !== null && owners.get(parentId)?.personId !== personId ? "" : parentId,
    }));
    const places = new Map(parentsFirst(items, maxDepth).map((placed) => [placed.item.id, placed]));
    for await (const page of rowsInOrder(source, "folder", [...places.keys()])) {
      const grants = await grantsOf(reading, "folder", page);
      for (const [index, row] of page.entries()) {
        const id = textOf(row, "id")!;
        const personId = textOf(row, "user_id");
        if (personId === undefined) {
          yield { leftOut: { kind: "folder", id, reason: "It has no owner" } };
          continue;
        }
        const { parentId, moved } = places.get(id)!;
        const notes = moved ? [reasons[moved]] : [];
        yield { record: recordOf(row, { id, personId, parentId, notes, grants: grants[index]! }) };
      }
    }
  },
};

/** Whose each folder is, and where. */
export async function folderOwners(
  source: RowSource,
): Promise<Map<string, { personId: string | undefined; parentId: string | null }>> {
  const found = new Map<string, { personId: string | undefined; parentId: string | null }>();
  if (!(await hasTable(source, "folder"))) return found;
  for await (const row of source.rows("folder")) {
    const id = textOf(row, "id");
    if (id !== undefined)
      found.set(id, { personId: textOf(row, "user_id"), parentId: textOf(row, "parent_id") ?? null });
  }
  return found;
}

interface Place {
  id: string;
  personId: string;
  parentId: string | null;
  notes: string[];
  grants: ImportedGrant[];
}

function recordOf(row: Row, { id, personId, parentId, notes, grants }: Place): ImportedRecord {
  const data = objectOf(row, "data") ?? {};
  const prompt = data["system_prompt"];
  const given: unknown[] = Array.isArray(data["files"]) ? data["files"] : [];
  const files = given.flatMap((file) => {
    if (!isObject(file) || typeof file["id"] !== "string" || file["id"] === "" || file["id"].length > 300) return [];
    return file["type"] === "file" || file["type"] === "collection" ? [{ type: file["type"], id: file["id"] }] : [];
  });
  if (files.length < given.length)
    notes.push(`${given.length - files.length} of its files were left out: they are neither files nor knowledge bases`);
  const models: unknown[] = Array.isArray(data["model_ids"]) ? data["model_ids"] : [];
  return {
    kind: "folder",
    id,
    person_id: personId,
    parent_id: parentId,
    name: textOf(row, "name") ?? "",
    instructions: typeof prompt === "string" ? prompt.slice(0, 1_000_000) : "",
    files: files.slice(0, 10_000),
    model_ids: models
      .filter((model) => typeof model === "string" && model !== "" && model.length <= 256)
      .slice(0, 1000),
    meta: cleanObject(objectOf(row, "meta") ?? {}),
    is_expanded: flagOf(row, "is_expanded"),
    access_grants: grants,
    notes,
    ...timesOf(row),
  };
}
