import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../src/db/tables.ts";
import { factoryPermissions } from "../src/people/permissions.ts";
import { isProvisioning, isRead, prepare } from "./authorization-matrix/ask.ts";
import { createMatrixWorld, type MatrixWorld } from "./authorization-matrix/matrix-world.ts";
import { table } from "./authorization-matrix/table.ts";

/** What stands in the body decides which right is needed: whose the server is, whether the source is new, who gets access. */
const bodyDecides: ReadonlySet<string> = new Set([
  "POST /api/v1/tool-servers",
  "POST /api/v1/tools/id/:id/update",
  "POST /api/v1/tools/id/:id/access/update",
  "POST /api/v1/models/model/access/update",
  "POST /api/v1/knowledge/:id/access/update",
  "POST /api/v1/prompts/id/:id/access/update",
  "POST /api/v1/chats/shared/:id/access/update",
]);

const noPermissions = Object.fromEntries(
  Object.entries(factoryPermissions).map(([branch, leaves]) => [
    branch,
    Object.fromEntries(Object.keys(leaves).map((leaf) => [leaf, false])),
  ]),
);

let world: MatrixWorld;
beforeAll(async () => {
  world = await createMatrixWorld();
});
afterAll(() => world.close());

test("who may not make a call is told so whatever the body is", async () => {
  const requests = await Promise.all(
    Object.entries(table)
      .filter(([route]) => !isRead(route) && !isProvisioning(route))
      .map(async ([route, row]) => {
        const id = Object.keys(row.ids ?? {})[0];
        const { send } = await prepare(world, route, row, { caller: "user", credential: "JWT", id, variant: "own" });
        return { route, send };
      }),
  );
  // Their things were made while they still might.
  await world.db.update(settings).set({ value: noPermissions }).where(eq(settings.name, "permissions.default"));
  const refused: string[] = [];
  const readFirst: string[] = [];
  for (const { route, send } of requests) {
    if ((await send()).status !== 403) continue;
    refused.push(route);
    const answers = [await send("17"), await send("{ this is not JSON")];
    if (answers.some(({ status }) => status !== 403)) readFirst.push(route);
  }
  expect(readFirst.filter((route) => !bodyDecides.has(route))).toEqual([]);
  expect([...bodyDecides].filter((route) => !readFirst.includes(route))).toEqual([]);
  expect(refused.length).toBeGreaterThan(80);
});
