import { pagesOf } from "../pages-of.ts";
import { flagOf, jsonOf, objectOf, secondsOf, textOf } from "../read-values.ts";
import type { Reader, Row, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { at, given, idOf, textsIn, timesOf } from "./common-fields.ts";
import { grantsOf, type ImportedGrant } from "./grants.ts";

/** Longest text of a prompt. */
const maxLength = 50_000;
const maxVersions = 1000;

/** Prompts with their versions; older ones have none, and their command without its slash for an id. */
export const promptsReader: Reader = {
  name: "prompts",
  tables: ["prompt"],
  async *read(reading) {
    const { source } = reading;
    const columns = await source.columns("prompt");
    if (columns.size === 0) return;
    const key = columns.has("id") && columns.has("version_id") ? "id" : "command";
    const hasHistory = key === "id" && (await hasTable(source, "prompt_history"));
    for await (const page of pagesOf(source.rows("prompt", key), 50)) {
      const grants = await grantsOf(reading, "prompt", page);
      const ids = page.flatMap((row) => textOf(row, "id") ?? []);
      const history = hasHistory ? await source.rowsOf("prompt_history", "prompt_id", ids, "id") : [];
      const versions = Map.groupBy(history, (row) => row["prompt_id"]);
      for (const [index, row] of page.entries())
        yield translate(row, key, grants[index]!, versions.get(row["id"]) ?? []);
    }
  },
};

function translate(row: Row, key: "id" | "command", grants: ImportedGrant[], history: readonly Row[]): Translated {
  const id = idOf(row, key)?.replace(/^\/+(?=.)/, "");
  const leftOut = (reason: string) => ({ leftOut: { kind: "prompt", id: id ?? "", reason } });
  if (id === undefined) return leftOut("Its id can't be used");
  const command = (textOf(row, "command") ?? id).slice(0, 300);
  const content = textOf(row, "content");
  if (content === undefined) return leftOut("It has no text");
  if (content.length > maxLength) return leftOut("Its text has more than 50,000 characters");
  const name = (textOf(row, "name") ?? textOf(row, "title") ?? command).slice(0, 5000);
  const tags = textsIn(jsonOf(row, "tags")).slice(0, 100);
  const versions = history
    .map((each) => versionOf(each, { command, name, content, tags }))
    .filter((each) => each !== undefined)
    .toSorted((one, other) => (one.created_at ?? 0) - (other.created_at ?? 0));
  const at = secondsOf(row, "timestamp");
  return {
    record: {
      kind: "prompt",
      id,
      command,
      name,
      content,
      tags,
      is_active: row["is_active"] === undefined || row["is_active"] === null || flagOf(row, "is_active"),
      versions: versions.slice(-maxVersions),
      access_grants: grants.slice(0, 10_000),
      ...given({
        person_id: idOf(row, "user_id"),
        version_id: idOf(row, "version_id"),
        created_at: at,
        updated_at: at,
      }),
      ...timesOf(row),
      left: [],
    },
  };
}

interface Text {
  command: string;
  name: string;
  content: string;
  tags: string[];
}

/** A version is what the prompt was; what it does not say is as it is now. */
function versionOf(row: Row, now: Text) {
  const id = idOf(row);
  const snapshot = objectOf(row, "snapshot");
  const content = at(snapshot, "content");
  if (id === undefined || typeof content !== "string" || content === "" || content.length > maxLength) return undefined;
  const text = (name: string, otherwise: string) => {
    const value = at(snapshot, name);
    return typeof value === "string" && value !== "" ? value.slice(0, 5000) : otherwise;
  };
  const tags = at(snapshot, "tags");
  const message = textOf(row, "commit_message")?.slice(0, 500);
  const person = idOf(row, "user_id");
  const created_at = secondsOf(row, "created_at");
  return {
    id,
    command: text("command", now.command).slice(0, 300),
    name: text("name", now.name),
    content,
    tags: Array.isArray(tags) ? textsIn(tags).slice(0, 100) : now.tags,
    ...(message === undefined ? {} : { message }),
    ...(person === undefined ? {} : { person_id: person }),
    ...(created_at === undefined ? {} : { created_at }),
  };
}
