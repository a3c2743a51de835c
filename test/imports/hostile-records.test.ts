import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../src/imports/kinds.ts";
import { ada, createImportWorld, type ImportWorld } from "./import-world.ts";

let world: ImportWorld;
beforeAll(async () => {
  world = await createImportWorld();
});
afterAll(() => world.close());

const own = [
  "person",
  "group",
  "api_key",
  "function",
  "tool",
  "user_valves",
  "model",
  "prompt",
  "connection",
  "setting",
];

/** A record of each kind that could be stored. */
const sound: Record<string, object> = {
  person: { ...ada, kind: undefined },
  group: { name: "Crew" },
  api_key: { person_id: ada.id, secret: "sk-0123456789abcdef0123456789abcdef" },
  function: { name: "F", type: "filter", content: "export class Filter {}" },
  tool: { name: "T", content: "export class Tools {}" },
  user_valves: { person_id: ada.id, family: "tool", plugin: "t", values: {} },
  model: { name: "M", base_model_id: "gpt" },
  prompt: { person_id: ada.id, command: "c", name: "P", content: "x" },
  connection: { type: "openai", base_url: "https://provider.example/v1" },
  setting: { name: "DEFAULT_MODELS", value: "x" },
};

const nasty = fc.oneof(
  fc.json().map((text) => JSON.parse(text) as unknown),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    null,
    "",
    "*",
    "__proto__",
    "<img src=x onerror=alert(1)>",
    "x".repeat(400_000),
    -1,
    1e300,
    [],
    {},
    [[[[]]]],
    "\u0000",
    "\uD800",
    "'; DROP TABLE users; --",
    "sk-",
  ),
);

describe("records that are not as they should be", () => {
  test("know all kinds of this part", () => {
    for (const kind of own) expect(kinds.has(kind)).toBe(true);
  });

  test.each(own)("of the kind %s fail alone and never end the request", { timeout: 60_000 }, async (kind) => {
    const fields = [
      ...Object.keys(sound[kind]!),
      "person_id",
      "access_grants",
      "meta",
      "params",
      "settings",
      "oauth",
      "versions",
    ];
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...fields), nasty), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          number += 1;
          const changed = { ...sound[kind], ...Object.fromEntries(changes), kind, id: `${kind}-${number}` };
          const last = { kind: "group", id: `after-${kind}-${number}`, name: "After" };
          const [result, after] = await world.send([changed, last]);
          expect(["created", "changed", "matched", "left_out", "failed"]).toContain(result!.state);
          expect(after!.state).toBe("created");
        },
      ),
      { numRuns: 40 },
    );
  });

  test("with ids that names nothing, or objects, fail by name", async () => {
    const results = await world.send([
      { kind: "nothing", id: "1" },
      { kind: "__proto__", id: "2" },
      { kind: "person", id: "3", role: "owner" },
    ]);
    expect(results.map(({ state }) => state)).toEqual(["failed", "failed", "failed"]);
  });
});
