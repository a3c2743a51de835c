import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { auditEvents } from "../../src/people/audit/tables.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { startFakeRuntime, type FakeRuntime } from "./fake-runtime.ts";

let runtime: FakeRuntime;
let world: World;
let admin: Person;
beforeEach(async () => {
  runtime = await startFakeRuntime();
  world = await createWorld({ environment: { LOCALMODEL_BASE_URLS: runtime.origin } });
  admin = await world.admin();
});
afterEach(async () => {
  await world.close();
  await runtime.close();
});

/** The answer is read to its end: what nobody reads is under way for ever. */
const call = async (method: string, path: string, json?: object) => {
  const response = await world.request(`/localmodel${path}`, {
    as: admin,
    method,
    ...(json ? { body: JSON.stringify(json) } : {}),
  });
  return { status: response.status, text: await response.text() };
};
const audited = async () => {
  const rows = await world.db.select().from(auditEvents);
  return rows.map(({ action, targetType, targetId, actorId, detail }) => ({
    action,
    targetType,
    targetId,
    isAdmin: actorId === admin.id,
    detail,
  }));
};

test("every change is in the audit log before the runtime hears of it", async () => {
  await call("POST", "/api/pull", { name: "fresh" });
  await call("POST", "/api/copy", { source: "tiny", destination: "twin" });
  await call("DELETE", "/api/delete", { model: "twin" });
  await call("POST", "/api/mystery", { model: "tiny", secret: "sk-never-told" });
  const rows = await audited();
  expect(rows.map(({ action, targetType, targetId, isAdmin }) => [action, targetType, targetId, isAdmin])).toEqual([
    ["local_model.pull_requested", "local_model", "fresh", true],
    ["local_model.copy_requested", "local_model", "tiny", true],
    ["local_model.delete_requested", "local_model", "twin", true],
    ["local_runtime.called", "connection", "env-local-0", true],
  ]);
  expect(rows[1]!.detail).toMatchObject({ source: "tiny", destination: "twin", connection_id: "env-local-0" });
  expect(JSON.stringify(rows)).not.toContain("sk-never-told");
});

test("nothing is changed that cannot be written down", async () => {
  await world.client.execute(
    "CREATE TRIGGER full BEFORE INSERT ON audit_events BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  expect((await call("DELETE", "/api/delete", { model: "tiny" })).status).toBe(500);
  expect(runtime.models).toEqual(["tiny:latest"]);
});

test("a look leaves no trace", async () => {
  await call("GET", "/");
  await call("HEAD", `/api/blobs/sha256:${"0".repeat(64)}`);
  expect(await audited()).toEqual([]);
});

test("files go up as they are, and a look finds whether they are there", async () => {
  const file = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
  const path = `/localmodel/api/blobs/sha256:${createHash("sha256").update(file).digest("hex")}`;
  expect((await world.request(path, { as: admin, method: "HEAD" })).status).toBe(404);
  const sent = new ReadableStream({
    start(controller) {
      for (let at = 0; at < file.length; at += 65_536)
        controller.enqueue(new Uint8Array(file.subarray(at, at + 65_536)));
      controller.close();
    },
  });
  const init = {
    as: admin,
    method: "POST",
    body: sent,
    duplex: "half",
    headers: { "content-type": "application/octet-stream" },
  };
  expect((await world.request(path, init as Parameters<World["request"]>[1])).status).toBe(201);
  expect(runtime.seen.at(-1)!.body.equals(file)).toBe(true);
  expect((await world.request(path, { as: admin, method: "HEAD" })).status).toBe(200);
});

test("the peer's own calls do what they do there", async () => {
  runtime.loaded.add("tiny:latest");
  expect((await call("POST", "/api/unload", { model: "tiny" })).status).toBe(200);
  expect([...runtime.loaded]).toEqual([]);
  expect((await call("DELETE", "/api/push", { name: "tiny", stream: false })).status).toBe(200);
  expect([runtime.seen.at(-1)!.method, runtime.seen.at(-1)!.url]).toEqual(["POST", "/api/push"]);
});

test("what is new is in the catalogue at once, and what is gone is not", async () => {
  const listed = async () => {
    const { body } = await world.call<{ data: { id: string }[] }>("/api/models", { as: admin });
    return body.data.map(({ id }) => id);
  };
  expect(await listed()).toEqual(["tiny:latest"]);
  await call("POST", "/api/pull", { model: "fresh" });
  expect(await listed()).toEqual(["tiny:latest", "fresh:latest"]);
  await call("DELETE", "/api/delete", { model: "tiny" });
  expect(await listed()).toEqual(["fresh:latest"]);
});

test.each([{}, { model: "" }, { model: "a", name: "b" }])("%j names no model", async (json) => {
  const response = await call("POST", "/api/pull", json);
  expect(response.status).toBe(400);
  expect(await audited()).toEqual([]);
});

test("nobody manages anything where no runtime is connected", async () => {
  const empty = await createWorld();
  const { status, body } = await empty.call("/localmodel/api/pull", {
    as: await empty.admin(),
    json: { model: "tiny" },
  });
  expect([status, typeof body["error"]]).toEqual([503, "string"]);
  expect((await empty.call("/localmodel/api/tags", { as: await empty.admin() })).body).toEqual({ models: [] });
  await empty.close();
});
