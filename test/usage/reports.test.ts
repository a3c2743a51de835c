import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../src/lib/id.ts";
import { groupMembers, groups } from "../../src/people/groups/tables.ts";
import type { UsageCallPage, UsageReport } from "../../src/usage/schema.ts";
import { sweepUsage } from "../../src/usage/sweep-usage.ts";
import { usageRecords } from "../../src/usage/tables.ts";
import type { UseRecord } from "../../src/usage/usage-state.ts";
import { writeUse } from "../../src/usage/write-use.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";

let world: World;
let admin: Person;
let ada: Person;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
  ada = await world.person();
});
afterEach(() => world.close());

const day = 86_400;
/** One call of the person's, so many days ago. */
const use = (who: Person | undefined, daysAgo: number, more: Partial<UseRecord> = {}): UseRecord => ({
  id: newId(),
  at: world.services.now() - daysAgo * day,
  userId: who?.id ?? "",
  keyId: "",
  organizationId: defaultOrganizationId,
  model: "tide",
  baseModel: more.model ?? "tide",
  connectionId: "c1",
  api: "chat",
  state: "done",
  code: null,
  input: 10,
  cached: 4,
  cacheWrite: 0,
  output: 5,
  reasoning: 1,
  total: 15,
  isProbe: false,
  isFree: false,
  isEstimated: false,
  requests: 1,
  durationMs: 1000,
  firstMs: 100,
  ...more,
});
const write = (...records: UseRecord[]) => writeUse(world.services, records);
const report = async (query: string, as = ada, path = "/api/v1/usage") =>
  (await world.call<UsageReport>(`${path}?${query}`, { as })).body;
const ofAll = (query: string, as = admin) => report(query, as, "/api/v1/usage/admin");

async function organization(name: string): Promise<{ id: string; boss: Person; member: Person }> {
  const { body } = await world.call<{ id: string }>("/api/v1/organizations", { as: admin, json: { name } });
  const boss = await world.person({ organizationId: body.id, name: `${name} boss` });
  await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [boss.id] });
  return { id: body.id, boss, member: await world.person({ organizationId: body.id, name: `${name} member` }) };
}

describe("one's own usage", () => {
  test("is told by day, model, key and API, and is nobody else's", async () => {
    await write(
      use(ada, 0),
      use(ada, 0, { model: "reef", api: "messages", state: "error", code: "x", requests: 0 }),
      use(ada, 2, { keyId: "k1", isEstimated: true }),
      use(admin, 0),
    );
    const today = await report("");
    expect(today.totals).toMatchObject({ calls: 3, requests: 2, errors: 1, input: 30, total: 45, estimated: 15 });
    expect(today.rows.map(({ calls }) => calls)).toEqual([1, 2]);
    expect(today.rows[1]!.day).toBe(today.to);
    expect((await report("group_by=model,api")).rows).toMatchObject([
      { model: "tide", api: "chat", calls: 2 },
      { model: "reef", api: "messages", calls: 1 },
    ]);
    expect((await report("group_by=key")).rows).toMatchObject([
      { key_id: "", key_name: null, calls: 2 },
      { key_id: "k1", key_name: null, calls: 1 },
    ]);
    expect((await report("group_by=&model=reef")).rows).toMatchObject([{ calls: 1 }]);
  });

  test("counts the days that were asked for, both ends included", async () => {
    await write(...[0, 1, 2, 3, 29, 30].map((daysAgo) => use(ada, daysAgo)));
    const now = world.services.now();
    expect((await report("")).totals.calls).toBe(5);
    expect((await report(`from=${now - 3 * day}&to=${now - day}`)).totals.calls).toBe(3);
    expect((await report(`from=0&to=${now}`)).totals.calls).toBe(6);
    expect((await report(`to=${now - 40 * day}`)).rows).toEqual([]);
  });

  test("says nothing of connections, and refuses what it does not know", async () => {
    await write(use(ada, 0));
    const { body } = await world.call<UsageCallPage>("/api/v1/usage/calls", { as: ada });
    expect(body.calls).toMatchObject([{ model: "tide", connection_id: null }]);
    for (const query of [
      "group_by=connection",
      "group_by=person",
      "group_by=colour",
      "from=yesterday",
      "group_by=day,model,key,api",
    ])
      expect((await world.call(`/api/v1/usage?${query}`, { as: ada })).status, query).toBe(422);
  });

  test("goes on from page to page of single calls without gap or repetition", async () => {
    await write(...Array.from({ length: 7 }, (_, at) => use(ada, at % 2)));
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: UsageCallPage = (
        await world.call<UsageCallPage>(`/api/v1/usage/calls?limit=3&cursor=${cursor}`, { as: ada })
      ).body;
      seen.push(...page.calls.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(7);
    expect((await world.call("/api/v1/usage/calls?cursor=nonsense", { as: ada })).status).toBe(400);
  });

  test("comes as CSV, in which no name is a formula", async () => {
    await write(use(ada, 0, { model: "=cmd|' /C calc'!A0" }), use(ada, 0, { model: 'a "b", c' }));
    const answer = await world.call<string>("/api/v1/usage/export?group_by=model", { as: ada });
    expect(answer.headers.get("content-type")).toMatch(/^text\/csv/);
    const [head, ...lines] = answer.body.trim().split("\r\n");
    expect(head).toBe(
      "model,calls,requests,errors,input,cached,cache_write,output,reasoning,total,estimated,duration_ms,probes",
    );
    expect(lines.toSorted()).toEqual([
      `"a ""b"", c",1,1,0,10,4,0,5,1,15,0,1000,0`,
      `'=cmd|' /C calc'!A0,1,1,0,10,4,0,5,1,15,0,1000,0`,
    ]);
  });
});

describe("everybody's usage", () => {
  test("is told by person, organization, group and connection; the service's own work and accounts that are gone too", async () => {
    const north = await organization("North");
    const groupId = newId();
    await world.db.insert(groups).values({
      id: groupId,
      organizationId: defaultOrganizationId,
      name: "Crew",
      permissions: {},
      createdAt: 1,
      updatedAt: 1,
    });
    await world.db.insert(groupMembers).values({ groupId, userId: ada.id, createdAt: 1 });
    const gone = await world.person();
    await write(
      use(ada, 0),
      use(ada, 0),
      use(north.member, 0, { organizationId: north.id }),
      use(gone, 0, { input: 0, total: 5 }),
      use(undefined, 0, { organizationId: "", api: "task", requests: 0, total: 1 }),
    );
    await world.call(`/api/v1/users/${gone.id}`, { as: admin, method: "DELETE" });
    expect((await ofAll("group_by=person")).rows).toMatchObject([
      { user_id: ada.id, user_name: "Ada", calls: 2 },
      { user_id: north.member.id, calls: 1 },
      { user_id: gone.id, user_name: null, total: 5 },
      { user_id: "", user_name: null, total: 1 },
    ]);
    expect((await ofAll("group_by=organization")).rows.map((row) => row.organization_name)).toEqual([
      "Default",
      "North",
      null,
    ]);
    expect((await ofAll("group_by=group")).rows).toMatchObject([{ group_id: groupId, group_name: "Crew", calls: 2 }]);
    expect((await ofAll("group_by=connection")).rows).toMatchObject([{ connection_id: "c1", calls: 5 }]);
    expect((await ofAll(`group_by=model&group_id=${groupId}`)).totals.calls).toBe(2);
    expect((await ofAll(`user_id=${ada.id}`)).totals.calls).toBe(2);
  });

  test("is that of their people for an organization's administrators, whatever they ask for, and nothing for others", async () => {
    const [north, south] = [await organization("North"), await organization("South")];
    await write(
      use(north.member, 0, { organizationId: north.id }),
      use(south.member, 0, { organizationId: south.id }),
      use(ada, 0),
    );
    for (const query of ["", `organization_id=${south.id}`, `user_id=${south.member.id}`, `user_id=${ada.id}`]) {
      const { totals } = await ofAll(query, north.boss);
      expect(totals.calls, query).toBe(query === "" ? 1 : 0);
    }
    const calls = await world.call<UsageCallPage>("/api/v1/usage/admin/calls", { as: north.boss });
    expect(calls.body.calls.map((call) => call.user_id)).toEqual([north.member.id]);
    for (const path of ["", "/export", "/calls"])
      expect((await world.call(`/api/v1/usage/admin${path}`, { as: north.member })).status).toBe(403);
  });

  test("is narrowed to what failed", async () => {
    await write(
      use(ada, 0),
      use(ada, 0, { state: "error", code: "upstream_timeout" }),
      use(ada, 0, { state: "stopped" }),
    );
    const { body } = await world.call<UsageCallPage>("/api/v1/usage/admin/calls?state=error", { as: admin });
    expect(body.calls).toMatchObject([{ code: "upstream_timeout" }]);
  });
});

test("writing the same calls again changes nothing", async () => {
  const records = [use(ada, 0), use(ada, 0)];
  await write(...records);
  await write(...records, use(ada, 0));
  expect((await report("")).totals).toMatchObject({ calls: 3, total: 45 });
});

test("single calls go when they are as old as the setting says, and their sums stay", async () => {
  await world.call("/api/v1/auths/admin/config", { as: admin, json: { USAGE_RECORD_DAYS: 10 } });
  await write(use(ada, 11), use(ada, 9));
  await sweepUsage(world.services);
  expect(await world.db.select().from(usageRecords)).toHaveLength(1);
  expect((await report("")).totals.calls).toBe(2);
});

describe("the peer's usage of this moment", () => {
  test("tells how many people are active, and which models are in use that one may use oneself", async () => {
    await write(
      use(ada, 0, { model: "parley-guide" }),
      use(ada, 0, { model: "secret" }),
      use(ada, 1, { model: "old" }),
    );
    const { body } = await world.call("/api/usage", { as: ada });
    expect(body).toEqual({ model_ids: expect.arrayContaining(["parley-guide"]) as unknown, user_count: 2 });
    expect(body["model_ids"]).not.toContain("old");
  });

  test("is for administrators alone where the setting says so", async () => {
    await world.call("/api/v1/auths/admin/config", { as: admin, json: { ENABLE_PUBLIC_ACTIVE_USERS_COUNT: false } });
    expect((await world.call("/api/usage", { as: ada })).status).toBe(403);
    expect((await world.call("/api/usage", { as: admin })).status).toBe(200);
  });
});
