import { expect, test } from "vitest";
import { actions, type Costs, type Limits, simulate } from "../../../scripts/bench/simulate/model.ts";
import { scaleTables } from "../../../scripts/bench/simulate/tables.ts";

const cost = { service: 3, database: 1, reads: 2, writes: 1, rowsRead: 50, rowsWritten: 5 };
const costs = Object.fromEntries(actions.map((action) => [action, cost])) as Costs;
const limits: Limits = { writesPerSecond: 100, readsPerSecond: 1000, databaseGigabytes: 1000 };

test("ten times the people do ten times as much", () => {
  const [few, many] = [simulate(10_000, costs, limits), simulate(100_000, costs, limits)];
  expect(many.perSecond.requests / few.perSecond.requests).toBeCloseTo(10);
  expect(many.load.writes / few.load.writes).toBeCloseTo(10);
  expect(many.month.gigabytes / few.month.gigabytes).toBeCloseTo(10);
});

test("the smallest installation pays what is paid in any case", () => {
  const { dollars, databases, replicas } = simulate(1, costs, limits);
  expect(dollars).toMatchObject({ workers: 5, objects: 0, queues: 0, database: 416.58 });
  expect([databases, replicas]).toEqual([1, 0]);
});

test("what is nearest to its limit breaks first, and needs as many databases as its work fills to 70 %", () => {
  const slow = simulate(1_000_000, costs, { ...limits, writesPerSecond: 10 });
  expect(slow.breaksFirst).toBe("writes");
  // 300,000 people with 83 actions a day, 9 % of them in one hour.
  expect(slow.perSecond.writes).toBeCloseTo(622.5);
  expect(slow.databases).toBe(Math.ceil(62.25 / 0.7));
  const small = simulate(1_000_000, costs, { ...limits, databaseGigabytes: 1 });
  expect(small.breaksFirst).toBe("size");
});

test("reads beyond what the databases for writes can do go to copies", () => {
  const { replicas, databases } = simulate(1_000_000, costs, {
    writesPerSecond: 1e6,
    readsPerSecond: 100,
    databaseGigabytes: 1e6,
  });
  expect(databases).toBe(1);
  expect(replicas).toBe(Math.ceil(12.45 / 0.7) - 1);
});

test("the tables are Markdown, a column for each number of people", () => {
  const lines = scaleTables(costs, limits).split("\n");
  expect(lines.filter((line) => line.startsWith("| requests | "))).toHaveLength(2);
  expect(lines).toContain("|  | 1,000 | 10,000 | 100,000 | 1 million |");
});
