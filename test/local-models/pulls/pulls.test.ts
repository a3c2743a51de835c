import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runJobs } from "../../../src/jobs/run-jobs.ts";
import type { PullView } from "../../../src/local-models/pulls/schema.ts";
import { createMemoryJobs } from "../../memory-jobs.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { startFakeRuntime, type FakeRuntime } from "../fake-runtime.ts";

const base = "/api/v1/local-models/pulls";
const jobs = createMemoryJobs();
let runtime: FakeRuntime;
let world: World;
let admin: Person;
beforeEach(async () => {
  runtime = await startFakeRuntime();
  world = await createWorld({ environment: { LOCALMODEL_BASE_URLS: runtime.origin }, services: { jobs } });
  admin = await world.admin();
  jobs.woken.length = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
  await runtime.close();
});

const start = (model: string, connection_id = "env-local-0") =>
  world.call<PullView>(base, { as: admin, json: { connection_id, model } });
const list = async () => (await world.call<PullView[]>(base, { as: admin })).body;
const work = () => runJobs(world.services, "pull");
const left = async () =>
  (await world.client.execute("SELECT attempts, due_at, deadline FROM jobs WHERE kind = 'pull'")).rows;

describe("a model that is to be fetched", () => {
  test("is fetched by whoever does the work, and is then there", async () => {
    const { status, body } = await start("fresh");
    expect([status, body.state, jobs.woken]).toEqual([200, "running", ["pull"]]);
    await work();
    expect(await list()).toMatchObject([{ id: body.id, state: "done", completed: 100, total: 100, error: null }]);
    expect([runtime.models, await left()]).toEqual([["tiny:latest", "fresh:latest"], []]);
    const { body: models } = await world.call<{ data: { id: string }[] }>("/api/models", { as: admin });
    expect(models.data.map(({ id }) => id)).toContain("fresh:latest");
  });

  test("shows how far it is, and stops when it is told to", async () => {
    runtime.hold = (line) => (line < 4 ? undefined : new Promise(() => undefined));
    const { body } = await start("fresh");
    const working = work();
    await expect.poll(async () => (await list())[0]?.completed, { timeout: 20_000 }).toBe(50);
    expect((await list())[0]).toMatchObject({
      state: "running",
      total: 100,
      status: expect.stringContaining("pulling"),
    });
    const stopped = await world.call<PullView>(`${base}/${body.id}/stop`, { as: admin, method: "POST" });
    expect([stopped.status, stopped.body.state]).toEqual([200, "stopped"]);
    await working;
    await expect.poll(() => runtime.seen.at(-1)!.left, { timeout: 20_000 }).toBe(true);
    expect([(await list())[0]!.state, await left()]).toEqual(["stopped", []]);
  });

  test("that the runtime cannot have is failed in its words, at once", async () => {
    await start("missing");
    await work();
    expect(await list()).toMatchObject([{ state: "failed", error: "pull model manifest: file does not exist" }]);
    expect(await left()).toEqual([]);
  });

  test("is tried again when the runtime was away, and goes on", async () => {
    runtime.intercept = (_, response) => !!response.destroy();
    await start("fresh");
    await work();
    expect(await list()).toMatchObject([
      { state: "running", status: expect.stringContaining("connection to the upstream was lost") },
    ]);
    expect(await left()).toHaveLength(1);
    runtime.intercept = undefined;
    await world.client.execute("UPDATE jobs SET due_at = 0");
    await work();
    expect(await list()).toMatchObject([{ state: "done" }]);
  });

  test("is given up after a day", async () => {
    await start("fresh");
    runtime.intercept = (_, response) => !!response.writeHead(503).end();
    await work();
    const [job] = await left();
    vi.useFakeTimers({ toFake: ["Date"], now: Number(job!["deadline"]) - 1 });
    await world.client.execute("UPDATE jobs SET due_at = 0");
    runtime.intercept = (_, response) => {
      vi.setSystemTime(Number(job!["deadline"]) + 1);
      return !!response.writeHead(503).end();
    };
    await work();
    expect(await list()).toMatchObject([{ state: "failed", error: expect.stringContaining("in time") }]);
    expect(await left()).toEqual([]);
  });

  test("is fetched once, however often it is asked for at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => start("fresh")));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect(await left()).toHaveLength(1);
    await work();
    expect((await start("fresh")).status).toBe(200);
    expect(await list()).toHaveLength(1);
  });

  test("is taken off the list when it is over, not before", async () => {
    const { body } = await start("missing");
    const forget = () => world.call(`${base}/${body.id}`, { as: admin, method: "DELETE" });
    expect((await forget()).status).toBe(409);
    await work();
    expect([(await forget()).status, (await forget()).status]).toEqual([200, 404]);
    expect(await list()).toEqual([]);
  });

  test("needs a runtime and a name", async () => {
    expect((await start("fresh", "env-local-7")).status).toBe(404);
    expect((await start("")).status).toBe(422);
    expect((await start("a b")).status).toBe(422);
    expect((await world.call(`${base}/nothing/stop`, { as: admin, method: "POST" })).status).toBe(404);
  });

  test("fails when the connection is gone", async () => {
    const json = { kind: "local", base_url: runtime.origin, name: "Shed" };
    const { body } = await world.call<{ id: string }>("/api/v1/connections", { as: admin, json });
    await start("fresh", body.id);
    await world.call(`/api/v1/connections/${body.id}`, { as: admin, method: "DELETE" });
    await work();
    expect(await list()).toMatchObject([{ state: "failed", error: "The runtime is no longer connected" }]);
  });
});
