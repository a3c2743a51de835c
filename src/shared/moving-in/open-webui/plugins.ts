import { pagesOf } from "../pages-of.ts";
import { flagOf, isObject, objectOf, textOf } from "../read-values.ts";
import type { Reader, Reading, Row, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { at, given, idOf, maxIdLength, timesOf } from "./common-fields.ts";
import { grantsOf } from "./grants.ts";
import { openValves, valvesOf } from "./sealed-valves.ts";

const maxSourceLength = 2_000_000;
const sealed = "its valves: they are sealed, and the secret that opens them was not given";

/** Functions, tools, and what people have set of them for themselves. */
export const toolsReader: Reader = {
  name: "tools",
  tables: ["function", "tool"],
  // Each is loaded once.
  maxRecords: 5,
  async *read(reading) {
    const { source } = reading;
    if (await hasTable(source, "function"))
      for await (const row of source.rows("function", "id")) yield translate(reading, "function", row);
    if (await hasTable(source, "tool"))
      for await (const page of pagesOf(source.rows("tool", "id"), 50)) {
        const grants = await grantsOf(reading, "tool", page);
        for (const [index, row] of page.entries())
          yield translate(reading, "tool", row, { access_grants: grants[index]!.slice(0, 10_000) });
      }
    for await (const row of source.rows("user", "id")) yield* userValves(reading, row);
  },
};

async function translate(
  { secret }: Reading,
  kind: "function" | "tool",
  row: Row,
  more: Record<string, unknown> = {},
): Promise<Translated> {
  const id = idOf(row);
  const leftOut = (reason: string) => ({ leftOut: { kind, id: id ?? "", reason } });
  if (id === undefined) return leftOut("Its id can't be used");
  const content = textOf(row, "content");
  if (content === undefined) return leftOut("It has no source");
  if (content.length > maxSourceLength) return leftOut("Its source has more than 2,000,000 characters");
  const type = row["type"];
  if (kind === "function" && type !== "pipe" && type !== "filter" && type !== "action")
    return leftOut("It isn't a pipe, filter or action");
  const valves = await valvesOf(row, secret);
  return {
    record: {
      kind,
      id,
      name: (textOf(row, "name") ?? id).slice(0, 5000),
      content,
      meta: objectOf(row, "meta") ?? {},
      valves: valves ?? {},
      ...(kind === "function"
        ? { type, is_active: flagOf(row, "is_active"), is_global: flagOf(row, "is_global") }
        : {}),
      ...given({ person_id: idOf(row, "user_id") }),
      ...timesOf(row),
      ...more,
      left: valves === undefined ? [sealed] : [],
    },
  };
}

/** They are in the settings of the person: `{tools: {valves: {<id>: …}}, functions: {valves: …}}`. */
async function* userValves({ secret }: Reading, row: Row): AsyncGenerator<Translated> {
  const settings = objectOf(row, "settings");
  const person = idOf(row);
  if (person === undefined || settings === undefined) return;
  for (const [branch, family] of [
    ["functions", "function"],
    ["tools", "tool"],
  ] as const) {
    const all = at(settings, branch, "valves");
    if (!isObject(all)) continue;
    for (const [plugin, value] of Object.entries(all)) {
      const values = await openValves(value, secret);
      const id = `${person}/${family}/${plugin}`;
      const reason =
        values === undefined
          ? `Left out: ${sealed}`
          : id.length > maxIdLength || plugin === ""
            ? "Its id is too long"
            : undefined;
      if (reason !== undefined) yield { leftOut: { kind: "user_valves", id: id.slice(0, maxIdLength), reason } };
      else if (Object.keys(values!).length > 0)
        yield { record: { kind: "user_valves", id, person_id: person, family, plugin, values } };
    }
  }
}
