import { pagesOf } from "../pages-of.ts";
import { flagOf, isObject, objectOf, textOf } from "../read-values.ts";
import type { Reader, Row, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { given, idOf, maxIdLength, textsIn, timesOf } from "./common-fields.ts";
import { grantsOf, type ImportedGrant } from "./grants.ts";

/** Custom models, and what was set of providers' models. */
export const modelsReader: Reader = {
  name: "models",
  tables: ["model"],
  async *read(reading) {
    const { source } = reading;
    if (!(await hasTable(source, "model"))) return;
    for await (const page of pagesOf(source.rows("model", "id"), 50)) {
      const grants = await grantsOf(reading, "model", page);
      for (const [index, row] of page.entries()) yield translate(row, grants[index]!);
    }
  },
};

function translate(row: Row, grants: ImportedGrant[]): Translated {
  const id = idOf(row);
  if (id === undefined) return { leftOut: { kind: "model", id: "", reason: "Its id can't be used" } };
  const { profile_image_url: picture, knowledge, skillIds, ...meta } = objectOf(row, "meta") ?? {};
  const named = Array.isArray(knowledge) ? knowledge.flatMap((entry) => referencesIn(entry)) : [];
  return {
    record: {
      kind: "model",
      id,
      name: (textOf(row, "name") ?? id).slice(0, 5000),
      meta,
      params: objectOf(row, "params") ?? {},
      knowledge: named.slice(0, 1000),
      is_active: row["is_active"] === undefined || row["is_active"] === null || flagOf(row, "is_active"),
      access_grants: grants.slice(0, 10_000),
      ...given({
        base_model_id: idOf(row, "base_model_id"),
        person_id: idOf(row, "user_id"),
        picture: typeof picture === "string" ? (picture.length > 2_000_000 ? "too large" : picture) : undefined,
      }),
      ...timesOf(row),
      left: textsIn(skillIds).length > 0 ? ["its skills"] : [],
    },
  };
}

/** Entries of the type `collection` or `file`, and older ones that name collections; a file's has the name `file-<id>`. */
function referencesIn(entry: unknown): { type: "file" | "collection"; id: string }[] {
  if (!isObject(entry)) return [];
  const { id, type, collection_name: name, collection_names: names } = entry;
  const collections = [...textsIn(names), ...textsIn([name])];
  const isId = typeof id === "string" && id !== "" && id.length <= maxIdLength;
  if (isId && (type === "collection" || type === "file")) return [{ type, id }];
  if (isId && collections.length === 0) return [{ type: "collection", id }];
  return collections
    .filter((each) => each.length <= maxIdLength)
    .map((each) =>
      each.startsWith("file-") ? { type: "file", id: each.slice("file-".length) } : { type: "collection", id: each },
    );
}
