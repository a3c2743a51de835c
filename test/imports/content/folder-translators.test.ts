import { describe, expect, test } from "vitest";
import { memoryReading } from "./memory-source.ts";
import { readAll, recordsOf } from "./read-all.ts";

const json = JSON.stringify;

describe("folders", () => {
  test("come after those around them; loops and other people's folders put them at the top", async () => {
    const row = (id: string, parent: string | null, more = {}) => ({
      id,
      parent_id: parent,
      user_id: "ada",
      name: id,
      is_expanded: 1,
      data: json({
        system_prompt: "P",
        files: [
          { type: "file", id: "f" },
          { type: "note", id: "n" },
        ],
      }),
      created_at: 5,
      ...more,
    });
    const records = recordsOf(
      await readAll(
        "folders",
        memoryReading({
          folder: [
            row("a", "b"),
            row("b", "c"),
            row("c", null),
            row("x", "y"),
            row("y", "x"),
            row("z", "theirs"),
            row("theirs", null, { user_id: "ben" }),
          ],
        }),
      ),
    );
    const places = new Map(records.map((record) => [record.id, record["parent_id"]]));
    expect([...places.keys()].slice(0, 3)).toEqual(["c", "b", "a"]);
    expect(Object.fromEntries(places)).toMatchObject({ a: "b", b: "c", c: null, z: null });
    expect([places.get("x"), places.get("y")].filter((parent) => parent === null)).toHaveLength(1);
    expect(records.find(({ id }) => id === "z")!["notes"]).toContain(
      "It's at the top here: the folder around it does not exist",
    );
    expect(records[0]).toMatchObject({ instructions: "P", files: [{ type: "file", id: "f" }], is_expanded: true });
  });
});
