import fc from "fast-check";
import { expect, test } from "vitest";
import { kinds } from "../../../src/imports/kinds.ts";
import { peopleReaders, workspaceReaders } from "../../../src/shared/moving-in/open-webui/workspace-readers.ts";
import type { Row } from "../../../src/shared/moving-in/row-source.ts";
import { translate } from "./rows-source.ts";

const columns: Record<string, string[]> = {
  user: [
    "id",
    "email",
    "name",
    "role",
    "profile_image_url",
    "settings",
    "info",
    "oauth",
    "oauth_sub",
    "scim",
    "api_key",
    "date_of_birth",
    "created_at",
  ],
  auth: ["id", "email", "password", "active", "mfa"],
  group: ["id", "user_id", "name", "description", "data", "permissions", "parent_group_id", "user_ids"],
  group_member: ["id", "group_id", "user_id"],
  api_key: ["id", "user_id", "key", "expires_at"],
  access_grant: ["id", "resource_type", "resource_id", "principal_type", "principal_id", "permission"],
  function: ["id", "user_id", "name", "type", "content", "meta", "valves", "is_active"],
  tool: ["id", "user_id", "name", "content", "meta", "valves"],
  model: ["id", "user_id", "base_model_id", "name", "params", "meta", "is_active", "access_control"],
  prompt: ["id", "command", "user_id", "name", "content", "tags", "version_id", "is_active", "timestamp"],
  prompt_history: ["id", "prompt_id", "snapshot", "user_id", "commit_message", "created_at"],
  config: ["key", "value"],
};

const ids = fc.constantFrom("a", "b", "c", "tool", "user", "*");
const value = fc.oneof(
  { weight: 3, arbitrary: ids },
  fc.json(),
  fc.json().map((text) => JSON.parse(text) as unknown),
  fc.string({ unit: "binary" }),
  fc.constantFrom(null, undefined, 0, 1, 1n, -1, Number.NaN, 1e300, "filter"),
  fc.constantFrom(
    '{"__proto__":{"x":1}}',
    '{"config":{"share":{}}}',
    '{"tools":{"valves":{"a":"gAAAA"}}}',
    "[[1]]",
    "{",
  ),
);
/** Values of its own in Postgres. */
const day = fc.oneof(value, fc.date({ noInvalidDate: false }));
const tables = fc.record(
  Object.fromEntries(
    Object.entries(columns).map(([table, names]) => [
      table,
      fc.array(fc.record(Object.fromEntries(names.map((name) => [name, name === "date_of_birth" ? day : value]))), {
        maxLength: 3,
      }),
    ]),
  ),
);

test.each([...peopleReaders, ...workspaceReaders].map((reader) => [reader.name, reader] as const))(
  "the reader of %s takes any rows, and its records have the shape of their kind",
  async (_, reader) => {
    await fc.assert(
      fc.asyncProperty(tables, fc.option(fc.string(), { nil: undefined }), async (rows, secret) => {
        const { records } = await translate(reader, rows as Record<string, Row[]>, secret);
        for (const record of records) {
          const parsed = kinds.get(record.kind)!.shape.safeParse(JSON.parse(JSON.stringify(record)));
          if (record.kind === "connection" || record.kind === "user_valves") continue;
          expect(parsed.error?.issues ?? []).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  },
);

test("readers have the names that people choose from", () => {
  expect([...peopleReaders, ...workspaceReaders].map(({ name }) => name)).toEqual([
    "people",
    "groups",
    "keys",
    "tools",
    "models",
    "prompts",
    "config",
    "rest",
  ]);
});
