import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { factoryPermissions } from "../src/people/permissions.ts";
import { settings } from "../src/db/tables.ts";
import { isProvisioning, isRead, prepare } from "./authorization-matrix/ask.ts";
import { createMatrixWorld, type MatrixWorld } from "./authorization-matrix/matrix-world.ts";
import { table } from "./authorization-matrix/table.ts";

/** Which right is needed stands in the body: it has to be read first. */
const bodyDecides: ReadonlySet<string> = new Set([]);

const noPermissions = Object.fromEntries(
  Object.entries(factoryPermissions).map(([branch, leaves]) => [
    branch,
    Object.fromEntries(Object.keys(leaves).map((leaf) => [leaf, false])),
  ]),
);

let world: MatrixWorld;
beforeAll(async () => {
  world = await createMatrixWorld();
  await world.db.update(settings).set({ value: noPermissions }).where(eq(settings.name, "permissions.default"));
});
afterAll(() => world.close());

test("who may not make a call is told so whatever the body is", async () => {
  const refused: string[] = [];
  const readFirst: string[] = [];
  for (const [route, row] of Object.entries(table)) {
    if (isRead(route) || isProvisioning(route)) continue;
    const cell = { caller: "user", credential: "JWT", id: Object.keys(row.ids ?? {})[0], variant: "own" } as const;
    const { send } = await prepare(world, route, row, cell);
    if ((await send()).status !== 403) continue;
    refused.push(route);
    const answers = [await send("17"), await send("{ this is not JSON")];
    if (answers.some(({ status }) => status !== 403)) readFirst.push(route);
  }
  expect(readFirst.filter((route) => !bodyDecides.has(route))).toEqual([]);
  expect([...bodyDecides].filter((route) => !readFirst.includes(route))).toEqual([]);
  expect(refused.length).toBeGreaterThan(80);
});
