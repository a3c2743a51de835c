import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase } from "../../../src/db/client.ts";
import { uploadForm } from "../../../src/documents/files/upload/upload-form.ts";
import { getOwnStorage } from "../../../src/documents/storage/own-storage.ts";
import { getStorageReport } from "../../../src/documents/storage/storage-report.ts";
import { claimJob } from "../../../src/jobs/claim-job.ts";
import { chatsLeft } from "../../../src/people/totals/chat-room.ts";
import { explainFull } from "../../../src/people/totals/storage-room.ts";
import { contextFor } from "../../chat/conversations/context-for.ts";
import { fileForm } from "../../documents/files/run-jobs.ts";
import { findSlow, openSqld } from "../../query-plan.ts";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let sqld: Awaited<ReturnType<typeof openSqld>>;
let admin: Person;
beforeAll(async () => {
  sqld = await openSqld();
  world = await createWorld({
    services: { db: createDatabase(sqld.client) },
    environment: { MAX_SERVICE_STORAGE: "100000", MAX_ORGANIZATION_STORAGE: "10000" },
  });
  admin = await world.admin();
});
afterAll(() => world.close());

/** Steps that read a table that grows from its beginning, without an index. */
async function scans(work: () => Promise<unknown>): Promise<string[]> {
  sqld.asked.length = 0;
  await work();
  const found: string[] = [];
  const asked = sqld.asked.splice(0);
  expect(asked).not.toEqual([]);
  for (const { sql, args } of asked) {
    const { rows } = await sqld.client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: args ?? [] });
    for (const row of rows)
      if (
        /^SCAN (?!.*USING)(?:files|uploads|jobs|users|chats|person_totals|storage_totals)\b/.test(String(row["detail"]))
      )
        found.push(`${String(row["detail"])} in ${sql}`);
  }
  return [...found, ...(await findSlow(sqld.client, asked))];
}

it.each([
  ["an upload", () => uploadForm(ctx(), form(), true)],
  ["looking for the reason of a refusal", () => explainFull(ctx(), admin.id, { needed: 5 })],
  ["what a person stores", () => getOwnStorage(ctx(), 20)],
  ["who stores most", () => getStorageReport(ctx(), 20)],
  ["who stores most in an organization", () => getStorageReport(ctx("manager"), 20)],
  ["how many chats are left", () => chatsLeft(ctx(), admin.id)],
  ["taking a job", () => claimJob(world.services, "extract")],
])("%s reads no table that grows as a whole", async (_what, work) => {
  expect(await scans(work)).toEqual([]);
});

const form = () => new Request("http://parley.test/", { method: "POST", body: fileForm("text") });

function ctx(kind: "admin" | "manager" = "admin") {
  const context = contextFor(world, admin);
  if (context.actor.kind !== "user") throw new Error("nobody");
  if (kind === "manager") Object.assign(context.actor, { role: "user", organizationRole: "admin" });
  return context;
}
