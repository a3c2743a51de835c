import { afterAll, beforeAll, expect, test } from "vitest";
import { createRouters } from "../../src/compose/routes.ts";
import { declaredRoutes } from "../../src/http/route-table.ts";
import type { Caller } from "../authorization-matrix/cells.ts";
import { table } from "../authorization-matrix/table.ts";
import { createWorld, type Person, type World } from "../world.ts";

/** Whose tool server it is decides: that stands in the body of a new one. */
const isDecidedByThing = (path: string) => path.startsWith("/api/v1/tool-servers");

/** Routes that the matrix closes to these callers, whatever they name: with the right input they are 403. */
const routes = declaredRoutes(createRouters());
const closedTo = (caller: Caller) =>
  routes.filter(({ method, path }) => {
    const row = table[`${method} ${path}`];
    const id = Object.keys(row?.ids ?? {})[0];
    return !isDecidedByThing(path) && row?.may({ caller, credential: "JWT", id, variant: "own" }) === 403;
  });
const forManagers = closedTo("user");
const forAdmins = closedTo("organization admin");

let world: World;
let person: Person;
let manager: Person;
beforeAll(async () => {
  world = await createWorld();
  const admin = await world.admin();
  [person, manager] = [await world.person(), await world.person()];
  await world.call(`/api/v1/users/${manager.id}/update`, { as: admin, json: { organization_role: "admin" } });
});
afterAll(() => world.close());

/** What no route takes, each in another way. */
const wrong = ["{ this is not JSON", "[[]]", '{"\\ud800": 1}', "null"];

async function statusesOf(method: string, pattern: string, as: Person): Promise<number[]> {
  const path = `${pattern.replaceAll(/:[^/]+(\{[^}]*\})?/g, "x".repeat(300)).replace("*", "x")}?page=x&limit=x&from=x&id=`;
  const headers = { "content-type": "application/json" };
  const bodies = method === "GET" ? [null] : wrong;
  const answers = bodies.map((body) => world.request(path, { method, as, headers, body }));
  return (await Promise.all(answers)).map(({ status }) => status);
}

test.each(forManagers.map(({ method, path }) => [method, path]))(
  "%s %s refuses who may not call it before it reads what they sent",
  async (method, path) => {
    expect(new Set(await statusesOf(method, path, person))).toEqual(new Set([403]));
  },
);

test.each(forAdmins.map(({ method, path }) => [method, path]))(
  "%s %s refuses an organization's administrator before it reads what they sent",
  async (method, path) => {
    expect(new Set(await statusesOf(method, path, manager))).toEqual(new Set([403]));
  },
);

test("each of them says so where it is declared", () => {
  // What reads its body itself, such as calls of local runtimes, finds out by the path what is called.
  const silent = forManagers.filter(({ policy }) => policy.requires === undefined && !policy.readsBody);
  expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});
