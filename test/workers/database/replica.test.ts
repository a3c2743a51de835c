import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient, type Client } from "@libsql/client/web";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { findSqld } from "../../../scripts/launch/database-process.ts";
import { findFreePort } from "../../../scripts/launch/ports.ts";
import { applyMigrations } from "../../../scripts/migrate/apply-migrations.ts";
import { readMigrations } from "../../../scripts/migrate/read-migrations.ts";
import type { FoundChat } from "../../../src/chat/conversations/schema.ts";
import { createDatabase } from "../../../src/db/client.ts";
import { lookUpAlone } from "../../../src/db/look-up.ts";
import { users } from "../../../src/people/users/tables.ts";
import type { UsageReport } from "../../../src/usage/schema.ts";
import { openReplica, ReplicaState } from "../../../workers/database/replica.ts";
import { createWorld, type Person, type World } from "../../world.ts";

/** One sqld, and another one that copies it through a link that can be cut. */
let folder: string;
let primaryProcess: ChildProcess;
let replicaProcess: ChildProcess;
let link: Link;
let primary: Client;
let world: World;
let ada: Person;
/** Requests that went to each. */
const asked = { primary: 0, replica: 0 };
let state = new ReplicaState();
let hasWritten = false;
const warnings: string[] = [];

interface Link {
  port: number;
  server: Server;
  cut(): void;
  join(): void;
}

/** Passes bytes on to a port until it is cut; then connections end, and new ones get nowhere. */
async function startLink(to: number): Promise<Link> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (isCut) return void socket.destroy();
    const other = connect(to, "127.0.0.1");
    other.on("error", () => socket.destroy());
    other.on("close", () => socket.destroy());
    socket.on("close", () => other.destroy());
    socket.pipe(other).pipe(socket);
    open.add(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    server,
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
      open.clear();
    },
    join: () => (isCut = false),
  };
}

async function startDatabase(name: string, ...args: string[]): Promise<{ process: ChildProcess; url: string }> {
  const address = `127.0.0.1:${await findFreePort()}`;
  const data = path.join(folder, name);
  const child = spawn(findSqld(), ["--no-welcome", "--db-path", data, "--http-listen-addr", address, ...args], {
    stdio: "ignore",
  });
  const url = `http://${address}`;
  await vi.waitUntil(
    () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeout: 30_000 },
  );
  return { process: child, url };
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-replica-test-"));
  const grpc = await findFreePort();
  const first = await startDatabase("primary", "--grpc-listen-addr", `127.0.0.1:${grpc}`);
  primaryProcess = first.process;
  link = await startLink(grpc);
  const second = await startDatabase("replica", "--primary-grpc-url", `http://127.0.0.1:${link.port}`);
  replicaProcess = second.process;
  const counting =
    (place: keyof typeof asked): typeof fetch =>
    (input, init) => {
      asked[place] += 1;
      return fetch(input, init);
    };
  primary = createClient({ url: first.url, fetch: counting("primary") });
  await applyMigrations(primary, readMigrations(path.resolve("migrations")));
  const log = { debug() {}, info() {}, error() {}, warn: (message: string) => void warnings.push(message) };
  world = await createWorld({
    services: {
      db: createDatabase(primary),
      lookup: (statement) => lookUpAlone(primary, statement),
    },
  });
  const place = { token: undefined, send: counting("replica") };
  Object.defineProperty(world.services, "replica", {
    get: () =>
      createDatabase(
        openReplica({
          replica: { ...place, url: second.url },
          primary: { url: first.url, token: undefined, send: counting("primary") },
          client: () => primary,
          hasWritten: () => hasWritten,
          state,
          owner: world.services.environment,
          log,
        }),
      ),
  });
});
afterAll(async () => {
  await world?.close();
  primary?.close();
  link?.cut();
  link?.server.close();
  for (const child of [replicaProcess, primaryProcess]) {
    child?.kill("SIGKILL");
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
beforeEach(async () => {
  link.join();
  state = new ReplicaState();
  hasWritten = false;
  warnings.length = 0;
  ada = await world.person();
});

async function store(text: string): Promise<void> {
  const messages = [{ role: "user", content: text }];
  await world.call("/api/v1/chats/new", { as: ada, json: { chat: { title: "Ships", messages } } });
}

async function search(text: string): Promise<number> {
  const { status, body } = await world.call<FoundChat[]>(`/api/v1/chats/search?text=${text}`, { as: ada });
  expect(status).toBe(200);
  return body.length;
}

/** How many requests the replica gets for this. */
async function replicaDuring(work: () => Promise<unknown>): Promise<number> {
  const before = asked.replica;
  await work();
  return asked.replica - before;
}

/** Where the replica lags for a moment, the primary answers, and is asked for a while. */
async function untilReplicaAnswers(text: string, found: number): Promise<void> {
  await expect
    .poll(() => {
      state = new ReplicaState();
      warnings.length = 0;
      return replicaDuring(async () => expect(await search(text)).toBe(found));
    })
    .toBe(1);
}

test("searches and sums of usage are read from the replica, and find what was written a second ago", async () => {
  await store("the pilot boards at noon");
  expect(await search("pilot")).toBe(1);
  await untilReplicaAnswers("pilot", 1);
  expect(warnings).toEqual([]);
  const usage = await replicaDuring(async () =>
    expect((await world.call<UsageReport>("/api/v1/usage", { as: ada })).status).toBe(200),
  );
  expect(usage).toBe(1);
});

test("the primary is asked for its newest frame once a second, not for each read", async () => {
  const times = 20;
  await untilReplicaAnswers("anything", 0);
  const before = asked.primary;
  for (let time = 0; time < times; time++) await world.services.replica.all(sql`SELECT 1`);
  expect(asked.primary - before).toBeLessThan(times);
});

test("a replica that lags is not read: the primary answers at once, and the replica is left alone for a while", async () => {
  link.cut();
  await store("the tug left yesterday");
  expect(await replicaDuring(async () => expect(await search("tug")).toBe(1))).toBe(1);
  expect(warnings).toEqual(["the database's replica is not used for a while"]);
  expect(await replicaDuring(async () => expect(await search("tug")).toBe(1))).toBe(0);
  expect(warnings).toHaveLength(1);
});

test("somebody who may not sign in any more is refused, whatever the replica still has", async () => {
  link.cut();
  await world.db.update(users).set({ active: false }).where(eq(users.id, ada.id));
  const { status } = await world.call("/api/v1/chats/search?text=pilot", { as: ada });
  expect(status).toBe(401);
});

test("what the request has written itself is read from the primary", async () => {
  hasWritten = true;
  expect(await replicaDuring(() => search("pilot"))).toBe(0);
});

test("nothing is written through it, because a replica passes writes on", async () => {
  const { replica } = world.services;
  await expect(replica.update(users).set({ name: "Eve" }).where(eq(users.id, ada.id))).rejects.toThrow();
  await expect(
    replica.batch([replica.select().from(users), replica.delete(users).where(eq(users.id, ada.id))]),
  ).rejects.toThrow();
  const [row] = await world.db.select().from(users).where(eq(users.id, ada.id));
  expect(row).toMatchObject({ name: "Ada" });
});

test("where the replica is gone, the primary answers", async () => {
  replicaProcess.kill("SIGKILL");
  await once(replicaProcess, "exit");
  await store("the dredger works at night");
  expect(await search("dredger")).toBe(1);
  expect(warnings).toHaveLength(1);
});
