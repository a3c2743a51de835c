import { rmSync } from "node:fs";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeOpenWebuiData } from "../../fixtures/open-webui/make-data.ts";
import { importData } from "../../imports/import-data.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { type Exported, exportAll, type ExportedRow, importAll } from "./export-world.ts";
import { fillWorld } from "./fill-world.ts";

/** An administrator whom nothing of the other service is. */
async function emptyWorld(): Promise<{ world: World; root: Person }> {
  const world = await createWorld({ environment: { ENABLE_API_KEYS: "true" } });
  const root = await world.admin();
  await world.db.run(sql`UPDATE users SET email = 'root@empty.example' WHERE id = ${root.id}`);
  return { world, root };
}

let source: World;
let first: Exported;
let target: World;
let targetRoot: Person;
let outcomes: Awaited<ReturnType<typeof importAll>>;

beforeAll(async () => {
  const folder = makeOpenWebuiData();
  source = await createWorld({ environment: { ENABLE_API_KEYS: "true" } });
  const grace = await source.admin();
  await importData(source, grace, folder);
  rmSync(folder, { recursive: true, force: true });
  await fillWorld(source, grace);
  first = await exportAll(source, grace, { scope: "service", secrets: true });
  ({ world: target, root: targetRoot } = await emptyWorld());
  outcomes = await importAll(target, targetRoot, first);
}, 120_000);
afterAll(async () => {
  await source.close();
  await target.close();
});

const byId = (rows: readonly ExportedRow[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

describe("everything of a service", () => {
  test("is exported: of each kind something, and nothing fails or is left out at the other one", () => {
    for (const { kind, count } of first.view.kinds) expect([kind, count]).not.toEqual([kind, 0]);
    for (const [kind, rows] of first.records) expect([kind, rows.length]).not.toEqual([kind, 0]);
    expect(outcomes.filter(({ state }) => state === "failed" || state === "left_out")).toEqual([]);
  });

  test("keeps its ids", () => {
    const others = outcomes.filter(({ id, target_id: there, kind }) => there !== id && hasId.has(kind));
    expect(others).toEqual([]);
  });

  test("is the same after it has come in: every field of every record, and every byte", async () => {
    const second = await exportAll(target, targetRoot, { scope: "service", secrets: true });
    expect([...second.records.keys()]).toEqual([...first.records.keys()]);
    for (const [kind, rows] of first.records) {
      const there = second.records.get(kind)!.filter(({ id }) => id !== targetRoot.id);
      expect.soft([kind, byId(there).map(comparable)]).toEqual([kind, byId(rows).map(comparable)]);
    }
    expect(second.bytes).toEqual(first.bytes);
  });
});

/** Kinds whose records have an id of their own here. */
const hasId = new Set([
  "person",
  "group",
  "api_key",
  "function",
  "tool",
  "model",
  "prompt",
  "connection",
  "file",
  "knowledge",
  "knowledge_directory",
  "folder",
  "chat",
  "chat_share",
  "feedback",
  "memory",
  "channel",
  "channel_webhook",
  "channel_message",
]);

/** The default organization is there before: it has times of its own. */
function comparable(row: ExportedRow): ExportedRow {
  return row["is_default"] === true ? { ...row, created_at: 0, updated_at: 0 } : row;
}
