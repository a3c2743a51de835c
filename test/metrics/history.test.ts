import { afterEach, beforeEach, expect, test } from "vitest";
import { sweep } from "../../src/compose/sweep.ts";
import type { History, HistorySpan } from "../../src/metrics/history/schema.ts";
import { createWorld, type World } from "../world.ts";
import { launcher, machineFigures } from "./metrics-world.ts";

let world: World;
const disk = { ...machineFigures.disk, freeBytes: 6e9 };
const machine = launcher(async () => ({ ...machineFigures, disk }));
beforeEach(async () => {
  world = await createWorld({ services: { machine } });
});
afterEach(() => world.close());

const read = async (span: HistorySpan) =>
  (await world.call<History>(`/api/v1/admin/history?span=${span}`, { as: await world.admin() })).body;
const figuresOf = (history: History) => history.points.flatMap(({ figures }) => figures ?? []);
const rowCount = async (span: number) =>
  Number((await world.client.execute(`SELECT count(*) AS n FROM figure_history WHERE span = ${span}`)).rows[0]!["n"]);

test("each minute adds what has happened since the last one, to the minute and to the hour", async () => {
  await world.call("/health");
  await sweep(world.services);
  world.advance(60);
  for (let times = 0; times < 3; times += 1) await world.call("/health");
  await sweep(world.services);
  for (const [span, points] of [
    ["hour", 30],
    ["day", 48],
    ["week", 56],
  ] as const) {
    const history = await read(span);
    expect(history).toMatchObject({ kept: true });
    expect(history.points).toHaveLength(points);
    const all = figuresOf(history);
    expect(all.reduce((sum, { requests }) => sum + requests, 0)).toBe(4);
    expect(all[0]).toMatchObject({ errors: 0, first_byte_ms: null, disk_used: 4e9, disk_size: 10e9, people: 0 });
  }
});

test("what is too old goes, so that the table has a bound", async () => {
  const now = world.services.now();
  const statements = [
    ...Array.from({ length: 1600 }, (_, at) => [60, now - (now % 60) - at * 60]),
    ...Array.from({ length: 2400 }, (_, at) => [3600, now - (now % 3600) - at * 3600]),
  ].map(([span, at]) => ({
    sql: "INSERT INTO figure_history VALUES (?, ?, 1, 1, 1, 900, 1, 1, 1, 1, 1, 1)",
    args: [span!, at!],
  }));
  await world.client.batch(statements);
  await sweep(world.services);
  expect(await rowCount(60)).toBeLessThanOrEqual(1442);
  expect(await rowCount(3600)).toBeLessThanOrEqual(2162);
  expect(figuresOf(await read("day"))[10]).toMatchObject({ requests: 30, first_byte_ms: 900, jobs: 1 });
});

test("nothing is kept where there is no launcher, and only administrators see it", async () => {
  const edge = await createWorld();
  try {
    await sweep(edge.services);
    const { body } = await edge.call<History>("/api/v1/admin/history", { as: await edge.admin() });
    expect(body.kept).toBe(false);
    expect(figuresOf(body)).toEqual([]);
  } finally {
    await edge.close();
  }
  expect((await world.call("/api/v1/admin/history", { as: await world.person() })).status).toBe(403);
});
