import { pagesOf } from "../pages-of.ts";
import { jsonOf, objectOf, textOf } from "../read-values.ts";
import type { Reader, Row, RowSource, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { at, given, idOf, textsIn, timesOf } from "./common-fields.ts";

/** Most members that one group is sent with. */
const maxMembers = 100_000;

/**
 * Groups with their members. Groups within groups are made flat: people in a group below counted as members of those above too,
 * and stays one.
 */
export const groupsReader: Reader = {
  name: "groups",
  tables: ["group"],
  async *read({ source }) {
    const below = await readNesting(source);
    const hasMembers = await hasTable(source, "group_member");
    for await (const page of pagesOf(source.rows("group", "id"), 50)) {
      for (const row of page) {
        const inside = below(textOf(row, "id") ?? "");
        const members = new Set(hasMembers ? await membersOf(source, [textOf(row, "id") ?? "", ...inside]) : []);
        for (const id of textsIn(jsonOf(row, "user_ids"))) members.add(id);
        yield translate(row, [...members], inside.length);
      }
    }
  },
};

/** @returns the ids of all groups below a group */
async function readNesting(source: RowSource): Promise<(id: string) => string[]> {
  const children = new Map<string, string[]>();
  const isNested = (await source.columns("group")).has("parent_group_id");
  if (isNested)
    for await (const row of source.rows("group", "id")) {
      const [id, parent] = [textOf(row, "id"), textOf(row, "parent_group_id")];
      if (id !== undefined && parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id]);
    }
  return (id) => {
    const seen = new Set([id]);
    for (const each of seen) for (const child of children.get(each) ?? []) seen.add(child);
    seen.delete(id);
    return [...seen];
  };
}

async function membersOf(source: RowSource, groupIds: readonly string[]): Promise<string[]> {
  const rows = await source.rowsOf("group_member", "group_id", groupIds, "id");
  return rows.flatMap((row) => textOf(row, "user_id") ?? []);
}

function translate(row: Row, members: string[], inside: number): Translated {
  const id = idOf(row);
  if (id === undefined) return { leftOut: { kind: "group", id: "", reason: "Its id can't be used" } };
  const name = textOf(row, "name")?.trim();
  const data = objectOf(row, "data");
  const share = at(data, "config", "share");
  return {
    record: {
      kind: "group",
      id,
      name: (name || "Group").slice(0, 200),
      description: (textOf(row, "description") ?? "").slice(0, 10_000),
      permissions: objectOf(row, "permissions") ?? {},
      members: members.filter((member) => member.length <= 300).slice(0, maxMembers),
      share: share === true ? "everyone" : share === false ? "nobody" : "members",
      ...given({ person_id: idOf(row, "user_id") }),
      ...timesOf(row),
      notes: inside > 0 ? [`Groups below it: ${inside}. Their members are members of this one here`] : [],
      left: at(data, "config", "default_models") ? ["its default models"] : [],
    },
  };
}
