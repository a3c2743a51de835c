import type { Client, InStatement } from "@libsql/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobHandlers } from "../../src/compose/job-handlers.ts";
import { parseEnvironment } from "../../src/compose/parse-environment.ts";
import { createRouters } from "../../src/compose/routes.ts";
import { sweep } from "../../src/compose/sweep.ts";
import { servicesWith } from "../../src/context.ts";
import { createDatabase } from "../../src/db/client.ts";
import { declaredRoutes } from "../../src/http/route-table.ts";
import { runJobs } from "../../src/jobs/run-jobs.ts";
import type { JobKind } from "../../src/jobs/tables.ts";
import { cellsOf, isAsExpected, prepare } from "../authorization-matrix/ask.ts";
import type { Caller } from "../authorization-matrix/cells.ts";
import { createMatrixWorld, type MatrixWorld } from "../authorization-matrix/matrix-world.ts";
import { table } from "../authorization-matrix/table.ts";
import { scannedTables, sortedTables } from "./scanned-tables.ts";

/** Tables that stay small however many people and chats there are: an administrator fills them, or the sweeper empties them. */
const small = new Set([
  "banners",
  "connection_checks",
  "connections",
  "dropped_blobs",
  "dropped_chunks",
  "dropped_uploads",
  "embedding_spaces",
  "erasures",
  "imports",
  "invitations",
  "landing_rules",
  "legal_holds",
  "local_model_pulls",
  "mail_messages",
  "mail_passwords",
  "model_knowledge",
  "organizations",
  "package_downloads",
  "plugin_packages",
  "plugins",
  "quotas",
  "retention_runs",
  "settings",
  "stored_models",
  "tool_servers",
]);

/** What system administrators and the identity provider read whole, because they ask for all of it or for its number. The list may only shrink. */
const whole: Record<string, readonly string[]> = {
  "DELETE /api/v1/evaluations/feedbacks/all": ["feedback"],
  "GET /api/v1/channels/list": ["channels"],
  "GET /api/v1/evaluations/feedbacks/list": ["feedback"],
  "GET /api/v1/files": ["files"],
  "GET /api/v1/groups/": ["groups"],
  "GET /api/v1/knowledge": ["knowledge"],
  "GET /api/v1/knowledge/search/files": ["knowledge_files"],
  "GET /api/v1/prompts/list": ["prompts"],
  "GET /api/v1/prompts/tags": ["prompts"],
  "GET /api/v1/retrieval/status": ["files"],
  "GET /api/v1/scim/v2/Groups": ["groups"],
  "GET /api/v1/scim/v2/Users": ["users"],
  "GET /api/v1/users/": ["users"],
  "GET /api/v1/users/all": ["users"],
  "GET /api/v1/users/search": ["users"],
};

const callers: readonly Caller[] = ["user", "organization admin", "system admin", "identity provider"];
const seesAll = (caller: Asked["caller"]) => caller === "system admin" || caller === "identity provider";

interface Asked {
  /** Or what the service does by itself. */
  route: string;
  caller: Caller | "the service";
}

let world: MatrixWorld;
/** Each statement, with whoever asked it first. */
const asked = new Map<string, Asked>();
let current: Asked | undefined;

beforeAll(async () => {
  world = await createMatrixWorld();
  Object.assign(world.services, { db: createDatabase(recorded(world.client)) });
  await world.setUp(false);
  const routes = declaredRoutes(createRouters()).map(({ method, path }) => `${method} ${path}`);
  for (const route of routes.filter((each) => table[each])) {
    for (const caller of callers) await askAs(caller, route);
    if (!route.startsWith("GET ")) await world.renew();
  }
  await workAlone();
}, 300_000);
afterAll(() => world.close());

/** Asks the route for something of the caller's own, if they may. */
async function askAs(caller: Caller, route: string): Promise<void> {
  const row = table[route]!;
  const cell = cellsOf(route, row).find(
    (each) => each.caller === caller && each.credential === "JWT" && each.variant === "own",
  );
  if (!cell) return;
  const prepared = await prepare(world, route, row, cell);
  if (prepared.outcome !== "ok") return;
  current = { route, caller };
  const { status } = await prepared.send();
  if (isAsExpected(status, "ok")) answered.add(route);
}
const answered = new Set<string>();

/** The ledger and what else comes after answers, the jobs that wait by now, and a minute of the timer in which everything is due. */
async function workAlone(): Promise<void> {
  const does = (route: string) => void (current = { route, caller: "the service" });
  does("after answers");
  await world.settled();
  for (const kind of Object.keys(jobHandlers) as JobKind[]) {
    does(`jobs: ${kind}`);
    await runJobs(world.services, kind);
  }
  does("the timer");
  const periods = parseEnvironment({
    RETENTION_CHATS: "30",
    RETENTION_FILES: "30",
    RETENTION_CHANNEL_MESSAGES: "30",
    RETENTION_LOGS: "30",
  });
  const environment = { ...world.services.environment, ...periods };
  const later = world.services.now() + 400 * 86_400;
  const logged = world.logged.length;
  await sweep(servicesWith(world.services, { environment, now: () => later }));
  await world.settled();
  expect(world.logged.slice(logged).filter(({ message }) => message === "a sweeper failed")).toEqual([]);
  current = undefined;
}

function recorded(client: Client): Client {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        const statements = name === "batch" ? (args[0] as InStatement[]) : name === "execute" ? [args[0]] : [];
        for (const statement of statements as InStatement[]) {
          const text = typeof statement === "string" ? statement : statement.sql;
          if (current && !asked.has(text)) asked.set(text, current);
        }
        return value.apply(target, args);
      };
    },
  });
}

describe("the statements of every route", () => {
  test("were asked", () => {
    expect(answered.size).toBeGreaterThan(350);
    expect(asked.size).toBeGreaterThan(800);
    const alone = [...asked.values()].filter(({ caller }) => caller === "the service");
    expect(alone.length).toBeGreaterThan(80);
    expect(new Set(alone.map(({ route }) => route))).toContain("jobs: extract");
  });

  test("read no table that grows from end to end", async () => {
    const wrong: string[] = [];
    const needed = new Set<string>();
    for (const [sql, { route, caller }] of asked) {
      for (const { name, isPage } of await scannedTables(world.client, sql)) {
        if (small.has(name) || isPage === "first" || (isPage && seesAll(caller))) continue;
        const place = `${route}: ${name}`;
        needed.add(place);
        if (!seesAll(caller) || !whole[route]?.includes(name))
          wrong.push(`${caller}, ${place}: ${sql.replaceAll(/\s+/g, " ")}`);
      }
    }
    expect(wrong.join("\n")).toBe("");
    const listed = Object.entries(whole).flatMap(([route, names]) => names.map((name) => `${route}: ${name}`));
    expect(listed.filter((place) => !needed.has(place))).toEqual([]);
  });

  test("sort nothing that all people of an organization have together", async () => {
    const wrong: string[] = [];
    for (const [sql, { route, caller }] of asked)
      for (const name of await sortedTables(world.client, sql))
        if (!small.has(name)) wrong.push(`${caller}, ${route}, ${name}: ${sql.replaceAll(/\s+/g, " ")}`);
    expect(wrong.join("\n")).toBe("");
  });
});
