import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRouters } from "../src/compose/routes.ts";
import { declaredRoutes } from "../src/http/route-table.ts";
import { cellsOf, isAsExpected, isProvisioning, isRead, prepare, type Prepared } from "./authorization-matrix/ask.ts";
import { createMatrixWorld, type MatrixWorld } from "./authorization-matrix/matrix-world.ts";
import { table } from "./authorization-matrix/table.ts";

const routes = declaredRoutes(createRouters())
  .filter(({ policy }) => policy.access !== "bare" && policy.access !== "public")
  .map(({ method, path }) => `${method} ${path}`);

let world: MatrixWorld;
beforeAll(async () => {
  world = await createMatrixWorld();
});
afterAll(() => world.close());

test("every route has its row, and every row its route", () => {
  expect(Object.keys(table).sort()).toEqual(routes.toSorted());
});

/** Asks, and tells what came of it where that is not what has to come of it. */
async function ask({ cell, outcome, send }: Prepared, route: string): Promise<string | undefined> {
  const isWatched = outcome !== "ok" && !isProvisioning(route);
  const before = isWatched ? await world.version() : 0;
  const { status, text } = await send();
  const what = cell.id === undefined ? "" : `, ${cell.id}: ${cell.variant}`;
  const who = `${cell.caller} by ${cell.credential}${what}`;
  if (!isAsExpected(status, outcome)) return `${who}: ${status} instead of ${String(outcome)} ${text.slice(0, 120)}`;
  if (!isWatched || status < 300) return undefined;
  return (await world.version()) === before ? undefined : `${who}: refused, and yet something was written`;
}

describe("who may do what", { timeout: 60_000 }, () => {
  test.each(routes.filter((route) => table[route]))("%s", async (route) => {
    const row = table[route]!;
    const prepared = await Promise.all(cellsOf(route, row).map((cell) => prepare(world, route, row, cell)));
    const restricted = prepared.filter(({ cell }) => cell.credential === "restricted key");
    const refused = prepared.filter((each) => each.outcome !== "ok" && !restricted.includes(each));
    const wrong: (string | undefined)[] = [];
    const before = isProvisioning(route) ? await world.dump() : "";
    await world.setUp(true);
    for (const request of restricted) wrong.push(await ask(request, route));
    await world.setUp(false);
    for (const request of refused) wrong.push(await ask(request, route));
    if (isProvisioning(route) && (await world.dump()) !== before) wrong.push("refused, and yet something was written");
    for (const request of prepared.filter(({ outcome }) => outcome === "ok")) {
      wrong.push(await ask(request, route));
      if (!isRead(route)) await world.setUp(false);
    }
    if (!isRead(route)) await world.renew();
    expect(wrong.filter((each) => each !== undefined).join("\n")).toBe("");
  });
});
