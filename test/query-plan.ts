import path from "node:path";
import type { Client, InStatement } from "@libsql/client";
import { createClient } from "@libsql/client/http";
import { inject } from "vitest";
import { applyMigrations } from "../scripts/migrate/apply-migrations.ts";
import { readMigrations } from "../scripts/migrate/read-migrations.ts";

type Statement = Exclude<InStatement, string>;

/** The database server of the tests with the schema in it, and what it was asked. */
export async function openSqld(): Promise<{ client: Client; asked: Statement[] }> {
  const { url, token } = inject("parser");
  const client = createClient({ url, authToken: token });
  await applyMigrations(client, readMigrations(path.resolve(import.meta.dirname, "../migrations")));
  const asked: Statement[] = [];
  const recording = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        if (name === "batch") asked.push(...(args[0] as Statement[]));
        if (name === "execute") asked.push(args[0] as Statement);
        return value.apply(target, args);
      };
    },
  });
  return { client: recording, asked };
}

/** sqld's plan of each statement. */
async function* plansOf(client: Client, statements: readonly Statement[]): AsyncGenerator<[sql: string, PlanRow[]]> {
  for (const { sql, args } of statements) {
    const { rows } = await client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: args ?? [] });
    const plan = rows.map((row) => ({
      id: Number(row["id"]),
      parent: Number(row["parent"]),
      detail: String(row["detail"]),
    }));
    yield [sql, plan];
  }
}

/** All steps of the plans, each with the text of its statement. */
export async function planSteps(client: Client, statements: readonly Statement[]): Promise<string[]> {
  const steps: string[] = [];
  for await (const [sql, plan] of plansOf(client, statements))
    steps.push(...plan.map(({ detail }) => `${detail} of ${sql}`));
  return steps;
}

/** What `slowSteps` finds in the plans of the statements, each with its text. */
export async function findSlow(client: Client, statements: readonly Statement[]): Promise<string[]> {
  const found = new Set<string>();
  for await (const [sql, plan] of plansOf(client, statements))
    for (const step of slowSteps(sql, plan)) found.add(`${step} of ${sql}`);
  return [...found];
}

/** A row of EXPLAIN QUERY PLAN. */
export interface PlanRow {
  id: number;
  parent: number;
  detail: string;
}

/**
 * What in the plan is done again for each row of something else, although it reads all of a list, a table or a tree:
 * empty if the statement costs about what it changes or finds.
 * https://sqlite.org/eqp.html
 */
export function slowSteps(sql: string, plan: readonly PlanRow[]): string[] {
  const lists = givenLists(sql);
  const byId = new Map(plan.map((row) => [row.id, row]));
  const under = (row: PlanRow, what: RegExp): boolean => {
    for (let at = byId.get(row.parent); at; at = byId.get(at.parent)) if (what.test(at.detail)) return true;
    return false;
  };
  const hasLoopBefore = (row: PlanRow) =>
    plan
      .slice(0, plan.indexOf(row))
      .some((other) => other.parent === row.parent && /^(SCAN|SEARCH) /.test(other.detail));
  return plan
    .filter((row) => {
      const isCorrelated = under(row, /^CORRELATED /);
      if (row.detail === "RECURSIVE STEP") return isCorrelated;
      const [, scanned] = /^SCAN (\S+)/.exec(row.detail) ?? [];
      if (scanned === undefined || row.detail === "SCAN CONSTANT ROW") return false;
      // A list in a column belongs to its row.
      const isOfRow = / VIRTUAL TABLE /.test(row.detail) && !lists.has(scanned);
      return !isOfRow && (hasLoopBefore(row) || (isCorrelated && lists.has(scanned)));
    })
    .map((row) => row.detail);
}

/** Under which names a statement reads lists that are parameters. */
function givenLists(sql: string): Set<string> {
  const keyword = /^(?:where|on|join|left|cross|inner|union|group|order|limit|except|intersect|as)$/i;
  const names = [...sql.matchAll(/\bjson_each\s*\(\s*\?[^()]*\)\s*(?:as\s+)?(\w+)?/gi)].map(([, name]) => name);
  return new Set(names.map((name) => (name === undefined || keyword.test(name) ? "json_each" : name)));
}
