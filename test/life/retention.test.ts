import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RetentionPreview } from "../../src/life/retention/schema.ts";
import { sweepRetention } from "../../src/life/retention/sweep-retention.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";
import { idsOf, makeChannel, makeChat, makeFile, makeOlder, post } from "./old-things.ts";

let world: World;
let admin: Person;
let ada: Person;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
  ada = await world.person({ role: "user" });
});
afterEach(() => world.close());

const home = `/api/v1/organizations/${defaultOrganizationId}`;
const keep = (retention: Record<string, number | null>) =>
  world.call<{ retention: unknown }>(home, { as: admin, method: "PATCH", json: { retention } });
const preview = async (query = "", path = `${home}/retention`) =>
  (await world.call<RetentionPreview>(`${path}${query}`, { as: admin })).body;
const counts = ({ removed }: RetentionPreview) =>
  Object.fromEntries(removed.filter(({ count }) => count > 0).map(({ kind, count }) => [kind, count]));
const set = (json: unknown) => world.call("/api/v1/auths/admin/config", { as: admin, json });
const lines = async () =>
  (
    await world.client.execute(
      "SELECT target_id, detail FROM audit_events WHERE action = 'retention.applied' ORDER BY target_id, id",
    )
  ).rows.map((row) => [row["target_id"], JSON.parse(String(row["detail"])) as unknown]);
const later = async () => {
  world.advance(3601);
  await sweepRetention(world.services);
};

describe("periods", () => {
  test("nothing is removed as long as nobody says so", async () => {
    const chat = await makeChat(world, ada);
    await makeOlder(world, "chats", [chat], 4000);
    await later();
    expect(await idsOf(world, "chats")).toEqual([chat]);
    expect(await lines()).toEqual([]);
    expect((await world.call("/api/v1/retention/own", { as: ada })).body).toEqual({
      chats: 0,
      files: 0,
      channel_messages: 0,
      logs: 0,
    });
  });

  test("an organization's own period goes before the setting; null gives it back", async () => {
    expect((await keep({ chats: 90, files: 0 })).body.retention).toEqual({
      chats: 90,
      files: 0,
      channel_messages: null,
      logs: null,
    });
    expect((await keep({ files: null })).body.retention).toMatchObject({ chats: 90, files: null });
    expect((await preview("?files=30&chats=default")).periods).toEqual({
      chats: 0,
      files: 30,
      channel_messages: 0,
      logs: 0,
    });
    expect((await world.call("/api/v1/retention/own", { as: ada })).body).toMatchObject({ chats: 90, files: 0 });
    const { rows } = await world.client.execute(
      "SELECT detail FROM audit_events WHERE action = 'organization.retention_updated' ORDER BY id",
    );
    expect(rows.map((row) => JSON.parse(String(row["detail"])) as unknown)).toMatchObject([
      { from: {}, to: { chats: 90, files: 0 } },
      { to: { chats: 90 } },
    ]);
  });
});

describe("the sweeper", () => {
  test("removes what the preview said, and says so in one line of the audit log", async () => {
    const [old, pinned, fresh] = [await makeChat(world, ada), await makeChat(world, ada), await makeChat(world, ada)];
    await world.call(`/api/v1/chats/${pinned}/pin`, { as: ada, method: "POST" });
    await makeOlder(world, "chats", [old, pinned], 91);
    const channel = await makeChannel(world, ada);
    const [first, second] = [
      await post(world, ada, channel, { content: "Fog until ten" }),
      await post(world, ada, channel, { content: "Fog is gone" }),
    ];
    await makeOlder(world, "channel_messages", [first], 31);
    const said = await preview("?chats=90&channel_messages=30");
    expect(counts(said)).toEqual({ chats: 2, channel_messages: 1 });
    expect(said.removed[0]).toMatchObject({ kind: "chats", bytes: 54 });
    expect(said.removed[0]!.oldest).toBeLessThan(world.services.now() - 90 * 86_400);
    expect(await idsOf(world, "chats")).toHaveLength(3);

    await keep({ chats: 90, channel_messages: 30 });
    world.told.length = 0;
    await later();
    expect(await idsOf(world, "chats")).toEqual([fresh]);
    expect(await idsOf(world, "channel_messages", "deleted_at IS NULL")).toEqual([second]);
    expect(world.told.map(({ event }) => event.type)).toEqual(["channel:message:delete"]);
    expect(await lines()).toEqual([[defaultOrganizationId, { chats: 2, channel_messages: 1 }]]);
    expect(counts(await preview())).toEqual({});
  });

  test("keeps files that a chat, a knowledge base or a channel has, and takes the others", async () => {
    const [attached, pictured, based, said, loose] = (await Promise.all(
      ["a", "b", "c", "d", "e"].map((text) => makeFile(world, ada, text, `${text}.md`)),
    )) as [string, string, string, string, string];
    const chat = await makeChat(world, ada, {
      files: [
        { type: "file", id: attached },
        { type: "image", url: `/api/v1/files/${pictured}/content` },
      ],
    });
    const { body: base } = await world.call<{ id: string }>("/api/v1/knowledge/create", {
      as: admin,
      json: { name: "Tides", description: "" },
    });
    await world.client.execute({
      sql: "INSERT INTO knowledge_files (knowledge_id, file_id, content_hash, created_at) VALUES (?, ?, 'x', 1)",
      args: [base.id, based],
    });
    await post(world, ada, await makeChannel(world, ada), { content: "See", data: { files: [{ id: said }] } });
    await makeOlder(world, "files", [attached, pictured, based, said, loose], 31);
    expect(counts(await preview("?files=30"))).toEqual({ files: 1 });
    await keep({ files: 30 });
    await later();
    expect(await idsOf(world, "files")).toEqual([attached, pictured, based, said].sort());
    // Its bytes go with it, and the sum of what is stored.
    const { rows } = await world.client.execute("SELECT count(*) AS n FROM dropped_blobs");
    expect(rows[0]!["n"]).toBeGreaterThan(0);
    expect((await world.call("/api/v1/storage", { as: ada })).body).toMatchObject({ file_count: 4 });
    await world.call(`/api/v1/chats/${chat}`, { as: ada, method: "DELETE" });
    await later();
    expect(await idsOf(world, "files")).toEqual([based, said].sort());
    expect(await lines()).toEqual([
      [defaultOrganizationId, { files: 1 }],
      [defaultOrganizationId, { files: 2 }],
    ]);
  });

  test("logs: calls, responses and the audit log, but not the lines on holds and erasures", async () => {
    await world.client.executeMultiple(`
      INSERT INTO audit_events (id, at, actor_kind, action, target_type, target_id, organization_id, detail, request_id) VALUES
        ('1', 1, 'session', 'group.created', 'group', 'g', '${defaultOrganizationId}', '{}', 'r'),
        ('2', 1, 'session', 'settings.updated', 'settings', 's', NULL, '{}', 'r'),
        ('3', 1, 'session', 'legal_hold.placed', 'user', 'u', '${defaultOrganizationId}', '{}', 'r'),
        ('4', 1, 'session', 'person.erased', 'erasure', 'e', '${defaultOrganizationId}', '{}', 'r');
      INSERT INTO stored_responses (id, user_id, response, is_large, size, created_at, expires_at)
        VALUES ('resp_1', '${ada.id}', '{}', 0, 2, 1, 99999999999);
      INSERT INTO usage_records (id, at, user_id, key_id, organization_id, model, base_model, connection_id, api, state, input,
        cached, cache_write, output, reasoning, total, is_estimated, requests, duration_ms)
        VALUES ('u1', 1, '${ada.id}', '', '${defaultOrganizationId}', 'm', 'm', '', 'chat', 'done', 1, 0, 0, 1, 0, 2, 0, 1, 5)`);
    expect(counts(await preview("?logs=365"))).toEqual({ calls: 1, audit_events: 1, responses: 1 });
    expect(counts(await preview("?logs=365", "/api/v1/retention"))).toEqual({
      calls: 1,
      audit_events: 2,
      responses: 1,
    });
    await set({ RETENTION_LOGS: 365 });
    await later();
    expect(await idsOf(world, "audit_events", "at = 1")).toEqual(["3", "4"]);
    expect(await idsOf(world, "usage_records")).toEqual([]);
    expect(await lines()).toEqual([
      ["", { audit_events: 1 }],
      [defaultOrganizationId, { calls: 1, audit_events: 1, responses: 1 }],
    ]);
  });

  test("a legal hold keeps what is old", async () => {
    const chat = await makeChat(world, ada);
    await makeOlder(world, "chats", [chat], 91);
    await world.client.execute(
      `INSERT INTO legal_holds VALUES ('h', 'organization', '${defaultOrganizationId}', 'case 7', 'x', 1)`,
    );
    await keep({ chats: 90 });
    expect(counts(await preview())).toEqual({});
    await later();
    expect(await idsOf(world, "chats")).toEqual([chat]);
  });
});
