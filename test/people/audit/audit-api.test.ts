import type { InValue } from "@libsql/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { User } from "../../../src/access.ts";
import { newId } from "../../../src/lib/id.ts";
import type { AuditEvent, AuditFilter, AuditPage } from "../../../src/people/audit/schema.ts";
import { selectEvents } from "../../../src/people/audit/select-events.ts";
import { readsKeptSeconds, sweepAudit } from "../../../src/people/audit/sweep-audit.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../world.ts";

let world: World;
let admin: Person;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
});
afterEach(() => world.close());

type Row = typeof auditEvents.$inferInsert;
const row = (values: Partial<Row>): Row => ({
  id: newId(),
  at: 1000,
  actorId: null,
  actorKind: "scim",
  action: "user.name_updated",
  targetType: "user",
  targetId: "u1",
  organizationId: null,
  detail: {},
  requestId: "r1",
  ...values,
});
const put = (...rows: Partial<Row>[]) => world.db.insert(auditEvents).values(rows.map(row));
const page = async (query = "", as: Person | string = admin) =>
  (await world.call<AuditPage>(`/api/v1/audit${query}`, { as })).body;
const ids = async (query: string, as: Person | string = admin) =>
  (await page(query, as)).events.map((event) => event.id);

/** A person who administers the organization and nothing else. */
async function organizationAdmin(organizationId = "harbour"): Promise<Person> {
  await world.client.execute({
    sql: "INSERT INTO organizations (id, name, features, created_at, updated_at) VALUES (?, ?, '{}', 0, 0)",
    args: [organizationId, organizationId],
  });
  const person = await world.person({ organizationId });
  await world.client.execute({
    sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?",
    args: [person.id],
  });
  return person;
}

describe("a page", () => {
  test("says who, what, when, to what and in which request", async () => {
    await world.call(`/api/v1/users/${admin.id}/update`, { json: { name: "Grace H" }, as: admin });
    expect(await page()).toEqual({
      events: [
        {
          id: expect.any(String) as unknown,
          at: expect.any(Number) as unknown,
          actor: { kind: "session", id: admin.id, name: "Grace H", is_service: false },
          action: "user.name_updated",
          target: { type: "user", id: admin.id, name: "Grace H" },
          organization_id: defaultOrganizationId,
          detail: { from: "Grace", to: "Grace H" },
          request_id: expect.any(String) as unknown,
        },
      ],
      next_cursor: null,
    });
  });

  test("names things as they are called today, a quota after whom it limits, and not what people wrote", async () => {
    const ada = await world.person({ name: "Ada" });
    const made = await world.call<{ id: string }>("/api/v1/quotas", {
      json: { scope: "person", subject_id: ada.id, unit: "tokens", period: "month", amount: 10 },
      as: admin,
    });
    await world.call(`/api/v1/quotas/${made.body.id}`, { method: "PATCH", json: { amount: 20 }, as: admin });
    await world.call(`/api/v1/quotas/${made.body.id}`, { method: "DELETE", as: admin });
    const base = await world.call<{ id: string }>("/api/v1/knowledge/create", {
      json: { name: "Tides", description: "" },
      as: admin,
    });
    await world.call(`/api/v1/knowledge/${base.body.id}/update`, { json: { name: "Tide tables" }, as: admin });
    await put({ targetType: "chat", targetId: "c1" }, { targetType: "model", targetId: "gone" });
    const told = (await page()).events.map(({ action, target }) => [action, target.type, target.name]);
    expect(told).toEqual(
      expect.arrayContaining([
        ["quota.created", "quota", "Ada"],
        ["quota.updated", "quota", "Ada"],
        ["quota.deleted", "quota", "Ada"],
        ["knowledge.created", "knowledge", "Tide tables"],
        ["knowledge.updated", "knowledge", "Tide tables"],
      ]),
    );
    expect(told.filter(([, type]) => type === "chat" || type === "model").map(([, , name]) => name)).toEqual([
      null,
      null,
    ]);
  });

  test("names nobody where nobody, or nobody any more, was it", async () => {
    await put({ actorKind: "session", actorId: "gone" }, { actorKind: "anonymous" });
    expect((await page()).events.map((event) => event.actor)).toEqual([
      { kind: "anonymous", id: null, name: null, is_service: false },
      { kind: "session", id: "gone", name: null, is_service: false },
    ]);
  });

  test("costs two round trips: who asks, and the page", async () => {
    await world.settled();
    await page();
    await world.settled();
    world.roundTrips.reset();
    await page();
    expect(world.roundTrips.count).toBe(2);
  });

  test("is followed by pages that neither repeat nor skip anything, whatever is written meanwhile", async () => {
    await put(
      ...Array.from({ length: 25 }, (_, index) => ({ id: `e${String(index).padStart(2, "0")}`, at: index >> 2 })),
    );
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const next: AuditPage = await page(`?limit=4&cursor=${encodeURIComponent(cursor)}`);
      seen.push(...next.events.map((event: AuditEvent) => event.id));
      cursor = next.next_cursor;
      await put({ at: 5000 });
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `e${String(24 - index).padStart(2, "0")}`));
  });

  test.each([
    "?limit=0",
    "?limit=201",
    "?limit=x",
    "?actor_kind=king",
    "?from=soon",
    "?from=-1",
    "?to=1.5",
    "?failed=perhaps",
  ])("is not given for %s", async (query) => {
    expect((await world.call(`/api/v1/audit${query}`, { as: admin })).status).toBe(422);
  });

  test("is not given for a cursor of somebody's own making", async () => {
    const made = ['["1","a"]', '["1e400","a"]', "[1e400,1]", "[1,2]", '[1,"\\ud800"]'].map((text) =>
      btoa(encodeURIComponent(text)),
    );
    for (const cursor of ["x", btoa("[1]"), btoa("{}"), "%ff", ...made])
      expect((await world.call(`/api/v1/audit?cursor=${cursor}`, { as: admin })).status).toBe(400);
  });
});

describe("filters", () => {
  beforeEach(async () => {
    await put(
      { id: "1", at: 10, actorId: "ada", actorKind: "session", action: "user.created", organizationId: "north" },
      { id: "2", at: 20, action: "user.deleted", targetId: "u2", detail: { error: "it is the last administrator" } },
      { id: "3", at: 30, action: "userless.thing", targetType: "thing", detail: { error: null } },
      { id: "4", at: 40, actorKind: "api-key", actorId: "ada", action: "group.created", targetType: "group" },
    );
  });

  test.each([
    ["", ["4", "3", "2", "1"]],
    ["?actor_id=ada", ["4", "1"]],
    ["?actor_kind=scim", ["3", "2"]],
    ["?action=user.created", ["1"]],
    ["?action=user.*", ["2", "1"]],
    ["?action=user*", ["3", "2", "1"]],
    ["?action=*", ["4", "3", "2", "1"]],
    ["?action=user.%", []],
    ["?action=USER.created", []],
    ["?target_type=user", ["2", "1"]],
    ["?target_type=user&target_id=u2", ["2"]],
    ["?target_id=u2", ["2"]],
    ["?organization_id=north", ["1"]],
    ["?from=20", ["4", "3", "2"]],
    ["?to=30", ["2", "1"]],
    ["?from=20&to=40", ["3", "2"]],
    ["?from=40&to=20", []],
    ["?failed=true", ["2"]],
    ["?failed=false", ["4", "3", "1"]],
    ["?actor_id=&action=&from=&to=&failed=&cursor=", ["4", "3", "2", "1"]],
    ["?actor_id=ada&actor_kind=session&action=user.*&target_type=user&organization_id=north&from=0&to=11", ["1"]],
    ["?actor_id=%27%20OR%201=1--", []],
  ])("%s finds %j", async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  test.each<[string, AuditFilter, RegExp]>([
    ["actor", { actor_id: "ada" }, /audit_events_actor/],
    ["kind", { actor_kind: "scim" }, /audit_events_kind/],
    ["action", { action: "user.created" }, /audit_events_action/],
    ["target", { target_type: "user", target_id: "u1" }, /audit_events_target/],
    ["target's id", { target_id: "u1" }, /audit_events_target/],
    ["target's type", { target_type: "user" }, /audit_events_type/],
    ["kind of action", { action: "user.*" }, /audit_events_time/],
    ["organization", { organization_id: "north" }, /audit_events_organization/],
    ["time", { from: 10, to: 20 }, /audit_events_time/],
    ["nothing", {}, /audit_events_time/],
    ["failures", { failed: true }, /audit_events_failed/],
    ["failures of a kind", { actor_kind: "scim", failed: true }, /audit_events_failed/],
    ["the rarest of many", { actor_id: "ada", action: "user.created", target_type: "user" }, /audit_events_actor/],
  ])("by %s read an index in its order, without sorting", async (_name, filter, index) => {
    await putMany(500);
    const user = { role: "admin" } as User;
    for (const after of [undefined, [30, "e00007"] as const]) {
      const { sql, params } = selectEvents(world.services, user, filter, after, 51).toSQL();
      const args = params as InValue[];
      const { rows } = await world.client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
      const plan = rows.map((step) => String(step["detail"])).join("; ");
      expect(plan).toMatch(index);
      expect(plan).not.toContain("TEMP B-TREE");
    }
  });
});

describe("who reads what", () => {
  test("administrators of an organization read what happened in theirs", async () => {
    const north = await organizationAdmin("north");
    await put({ id: "1", organizationId: "north" }, { id: "2", organizationId: "south" }, { id: "3" });
    expect(await ids("", north)).toEqual(["1"]);
    expect(await ids("?organization_id=south", north)).toEqual([]);
    expect((await ids("")).slice(-3).sort()).toEqual(["1", "2", "3"]);
    const csv = await world.call<string>("/api/v1/audit/export", { as: north });
    expect(csv.body.split("\r\n")).toHaveLength(3);
  });

  test("nobody else reads anything", async () => {
    const member = await world.person();
    for (const path of ["/api/v1/audit", "/api/v1/audit/export"]) {
      expect((await world.call(path, { as: member })).status).toBe(403);
      expect((await world.call(path)).status).toBe(401);
    }
  });
});

describe("the export", () => {
  const download = async (query = "", as: Person | string = admin) =>
    world.call<string>(`/api/v1/audit/export${query}`, { as });

  test("is a file with a line of names and a line for each event", async () => {
    await put({ id: "1", at: 0, actorId: admin.id, actorKind: "session", detail: { name: 'a "b", c' } });
    const { status, headers, body } = await download();
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/);
    expect(body).toBe(
      "time,actor_kind,actor_id,actor_name,actor_account,action,target_type,target_id,organization_id,detail,request_id,id\r\n" +
        `1970-01-01T00:00:00.000Z,session,${admin.id},Grace,person,user.name_updated,user,u1,,"{""name"":""a \\""b\\"", c""}",r1,1\r\n`,
    );
  });

  test("has only the line of names where nothing is found", async () => {
    expect((await download("?action=nothing")).body.split("\r\n")).toHaveLength(2);
  });

  test("has what the filter lets through", async () => {
    await put({ id: "1", action: "user.created" }, { id: "2", action: "group.created" });
    expect((await download("?action=group.*")).body.split("\r\n")[1]).toMatch(/group\.created.*,2$/);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "＝1"])("makes a text of %j", async (name) => {
    await world.client.execute({ sql: "UPDATE users SET name = ? WHERE id = ?", args: [name, admin.id] });
    await put({ id: "1", actorId: admin.id });
    expect((await download()).body).toContain(`,'${name},`);
  });

  test("is read page by page, only as fast as it is taken", async () => {
    await putMany(2500);
    const response = await world.request("/api/v1/audit/export", { as: admin });
    await world.settled();
    world.roundTrips.reset();
    const reader = response.body!.getReader();
    await reader.read();
    expect(world.roundTrips.count).toBe(0);
    await reader.read();
    expect(world.roundTrips.count).toBe(2);
    await reader.read();
    expect((await reader.read()).done).toBe(true);
    expect(world.roundTrips.count).toBe(4);
  });

  test("holds every event once", async () => {
    await putMany(2500);
    const lines = (await download()).body.trimEnd().split("\r\n").slice(1);
    expect(new Set(lines.map((line) => line.split(",").at(-1))).size).toBe(2500);
    expect(lines).toHaveLength(2500);
  });

  test("breaks off when the right to it goes meanwhile", async () => {
    await putMany(2500);
    const response = await world.request("/api/v1/audit/export", { as: admin });
    const reader = response.body!.getReader();
    await reader.read();
    await world.client.execute("UPDATE users SET role = 'user'");
    await expect(reader.read()).rejects.toThrow("administrator");
  });
});

/** Events of the same second, so that their ids decide. */
function putMany(count: number) {
  return world.client.execute({
    sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO audit_events SELECT printf('e%05d', i), 7, NULL, 'scim', 'user.created', 'user', 'u', NULL, '{}', 'r' FROM n`,
    args: [count],
  });
}

describe("the sweep", () => {
  test("deletes what identity providers only read, after thirty days, and nothing else", async () => {
    const day = 86_400;
    const at = world.services.now() - 31 * day;
    await put(
      { id: "old read", at, action: "scim.user.read" },
      { id: "old list", at, action: "scim.group.listed" },
      { id: "old write", at, action: "scim.user.created" },
      { id: "old other", at, action: "chat.read" },
      { id: "new read", at: at + 2 * day, action: "scim.user.read" },
    );
    await sweepAudit(world.services);
    expect((await ids("")).sort()).toEqual(["new read", "old list", "old other", "old write"]);
  });

  test("takes what a provider's own reading leaves", async () => {
    const scim = await createWorld({ environment: { SCIM_ENABLED: "true", SCIM_TOKEN: "t".repeat(40) } });
    const base = "/api/v1/scim/v2";
    const { id } = await scim.admin();
    const schemas = ["urn:ietf:params:scim:schemas:core:2.0:Group"];
    const post = { as: "t".repeat(40), json: { schemas, displayName: "Crew" } };
    const { body: group } = await scim.call<{ id: string }>(`${base}/Groups`, post);
    const paths = ["/Users", `/Users/${id}`, "/Groups", `/Groups/${group.id}`, "/Schemas", "/ServiceProviderConfig"];
    for (const path of paths) expect((await scim.request(`${base}${path}`, { as: "t".repeat(40) })).status).toBe(200);
    await scim.settled();
    expect(await scim.db.select().from(auditEvents)).toHaveLength(paths.length + 1);
    scim.advance(readsKeptSeconds + 60);
    await sweepAudit(scim.services);
    const left = await scim.db.select().from(auditEvents);
    expect(left.map((event) => event.action)).toEqual(["scim.group.created"]);
    await scim.close();
  });
});
