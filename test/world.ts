import type { Client } from "@libsql/client";
import type { Role } from "../src/access.ts";
import { createApp } from "../src/app.ts";
import type { ChannelEvent } from "../src/channels/schema.ts";
import type { ToldChannel } from "../src/channels/tell-channel.ts";
import { parseEnvironment } from "../src/compose/parse-environment.ts";
import { registry } from "../src/compose/registry.ts";
import { createRouters } from "../src/compose/routes.ts";
import type { Services } from "../src/context.ts";
import { createDatabase, type Database } from "../src/db/client.ts";
import { lookUpAlone } from "../src/db/look-up.ts";
import { createGuardedFetch } from "../src/http/guarded-fetch.ts";
import { toBase64 } from "../src/lib/base64.ts";
import { newId } from "../src/lib/id.ts";
import { parseKeyRing } from "../src/lib/key-ring.ts";
import { createVault } from "../src/lib/vault.ts";
import { checkOldHash } from "../src/people/auth/passwords/check-old-hash.ts";
import { hashPassword } from "../src/people/auth/passwords/hash-password.ts";
import { scrypt } from "../src/people/auth/passwords/scrypt.ts";
import { sessions } from "../src/people/auth/sessions/tables.ts";
import { createTokenSigner } from "../src/people/auth/tokens.ts";
import { passwords, users } from "../src/people/users/tables.ts";
import { connectMailByNode } from "./connect-mail-by-node.ts";
import { createNodeExtractor } from "./documents/files/node-extractor.ts";
import { createFakeLiveSessions, type FakeLiveSessions } from "./fake-live-sessions.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";
import { createMemoryJobs } from "./memory-jobs.ts";
import { openMigratedDatabase } from "./migrated-database.ts";
import { createNodePluginHost } from "./plugins/node-plugin-host.ts";

/** The organization that the migrations make. */
export const defaultOrganizationId = "00000000-0000-7000-8000-000000000001";

/** Where the world's requests say they go. */
export const origin = "http://parley.test";

export interface Person {
  id: string;
  token: string;
  sessionId: string;
  name: string;
  email: string;
  role: Role;
}

export interface RequestOptions extends Omit<RequestInit, "body" | "headers"> {
  headers?: Record<string, string>;
  body?: BodyInit | null;
  /** Sent as a JSON body; the method is then POST unless another is given. */
  json?: unknown;
  /** Whose Bearer token goes along: a person or a token. */
  as?: { token: string } | string;
  /** Whose token goes along as the cookie of the web UI. */
  cookie?: { token: string } | string;
}

/** An answer with its body read; `body` is the parsed JSON, or the text where it is not JSON. */
export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface World {
  app: ReturnType<typeof createApp>;
  services: Services;
  db: Database;
  client: Client;
  live: FakeLiveSessions;
  /** What channels were told, in order. */
  told: { channel: ToldChannel; event: ChannelEvent }[];
  /** Database round trips (single statements and batches alike) since the last reset. */
  /** `ledger`: those of the ledger of usage and of what plugins did, which come some time after an answer, whoever asks then. */
  roundTrips: { count: number; ledger: number; reset(): void };
  /** Lines that the service logged. */
  logged: { level: string; message: string; fields?: Record<string, unknown> }[];
  /** Moves the service's clock. */
  advance(seconds: number): void;
  request(path: string, options?: RequestOptions): Promise<Response>;
  call<T = Record<string, unknown>>(path: string, options?: RequestOptions): Promise<Answer<T>>;
  /** A real sign-up over the API. */
  signUp(body?: { name?: string; email?: string; password?: string }): Promise<Person>;
  /**
   * Accounts put straight into the database, with a session. `admin` is the same one every time.
   */
  admin(): Promise<Person>;
  person(values?: {
    role?: Role;
    name?: string;
    email?: string;
    active?: boolean;
    organizationId?: string;
    password?: string;
  }): Promise<Person>;
  /** Resolves when everything that requests left to run after their answers has ended. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** Variables as the environment has them: text. */
  environment?: Record<string, string>;
  services?: Partial<Services>;
}

/** As in an isolate, one for all worlds of a process: what belongs to a world comes with each request. */
let app: ReturnType<typeof createApp> | undefined;

/** The whole service over a migrated database of its own, in this process; only the session coordinators are a fake. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const database = await openMigratedDatabase();
  const roundTrips = {
    count: 0,
    ledger: 0,
    reset() {
      roundTrips.count = 0;
      roundTrips.ledger = 0;
    },
  };
  const client = counted(database.client, roundTrips);
  const keys = { k1: toBase64(crypto.getRandomValues(new Uint8Array(32))) };
  const ring = parseKeyRing(JSON.stringify({ current: "k1", keys }));
  const live = createFakeLiveSessions(() => services);
  const told: World["told"] = [];
  const logged: World["logged"] = [];
  const log = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    void logged.push({ level, message, ...(fields ? { fields } : {}) });
  const waiting = new Set<Promise<unknown>>();
  let offset = 0;
  const environment = parseEnvironment(options.environment ?? {});
  const services: Services = {
    db: createDatabase(client),
    get replica() {
      return services.db;
    },
    lookup: (statement) => lookUpAlone(client, statement),
    vault: createVault(ring),
    tokens: createTokenSigner(ring),
    // Next to nothing: what hashes cost is not what tests are about.
    passwordCost: { ln: 4, r: 8, p: 1 },
    scrypt,
    checkOldHash,
    live,
    channels: { tell: async (channel, event) => void told.push({ channel, event }) },
    outbound: {
      trusted: fetch,
      guarded: createGuardedFetch(fetch, fetch, environment.OUTBOUND_ALLOWED_PRIVATE_HOSTS ?? []),
    },
    connectMail: connectMailByNode,
    plugins: createNodePluginHost(),
    blobs: createMemoryBlobs(),
    jobs: createMemoryJobs(),
    extractor: createNodeExtractor(),
    registry,
    environment,
    log: { debug: () => undefined, info: log("info"), warn: log("warn"), error: log("error") },
    commit: null,
    now: () => Math.floor(Date.now() / 1000) + offset,
    waitUntil(work) {
      waiting.add(work);
      work.then(
        () => waiting.delete(work),
        () => waiting.delete(work),
      );
    },
    ...options.services,
  };
  const service = (app ??= createApp(createRouters()));

  const request: World["request"] = async (path, { as, cookie, json, headers, ...init } = {}) => {
    const sent = new Headers(headers);
    if (as !== undefined) sent.set("authorization", `Bearer ${tokenOf(as)}`);
    if (cookie !== undefined) sent.append("cookie", `token=${tokenOf(cookie)}`);
    if (json !== undefined) sent.set("content-type", "application/json");
    const body = json === undefined ? {} : { method: "POST", body: JSON.stringify(json) };
    return service.fetch(new Request(new URL(path, origin), { ...body, ...init, headers: sent }), services);
  };
  const call = async <T>(path: string, init?: RequestOptions): Promise<Answer<T>> => {
    const response = await request(path, init);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T };
  };
  const person: World["person"] = async ({
    role = "user",
    name = "Ada",
    email,
    active = true,
    organizationId = defaultOrganizationId,
    password,
  } = {}) => {
    const id = newId();
    const sessionId = newId();
    const now = services.now();
    const address = email ?? `${id}@harbour.example`;
    await services.db.batch([
      services.db.insert(users).values({
        id,
        email: address,
        name,
        role,
        active,
        organizationId,
        lastActiveAt: now,
        createdAt: now,
        updatedAt: now,
      }),
      services.db
        .insert(sessions)
        .values({ id: sessionId, userId: id, createdAt: now, lastUsedAt: now, expiresAt: null }),
    ]);
    if (password !== undefined)
      await services.db.insert(passwords).values({
        userId: id,
        hash: await hashPassword(services, password, { lane: "known", share: id }),
        updatedAt: now,
      });
    return {
      id,
      sessionId,
      name,
      email: address,
      role,
      token: await services.tokens.sign({ id, jti: sessionId, iat: now }, null),
    };
  };
  let admin: Promise<Person> | undefined;

  return {
    app: service,
    services,
    db: services.db,
    client,
    live,
    told,
    roundTrips,
    logged,
    advance: (seconds) => void (offset += seconds),
    request,
    call,
    async signUp({ name = "Ada Lovelace", email = `${newId()}@harbour.example`, password = "correct horse" } = {}) {
      const { status, body } = await call<{ token: string; id: string; role: Role }>("/api/v1/auths/signup", {
        json: { name, email, password },
      });
      if (status !== 200) throw new Error(`sign-up answered ${status}: ${JSON.stringify(body)}`);
      const claims = await services.tokens.verify(body.token);
      return { id: body.id, token: body.token, sessionId: claims!.jti, name, email, role: body.role };
    },
    admin: () => (admin ??= person({ role: "admin", name: "Grace", email: "grace@harbour.example" })),
    person,
    async settled() {
      while (waiting.size > 0) await Promise.allSettled(waiting);
    },
    async close() {
      while (waiting.size > 0) await Promise.allSettled(waiting);
      database.close();
    },
  };
}

function tokenOf(holder: { token: string } | string): string {
  return typeof holder === "string" ? holder : holder.token;
}

/** The client with every round trip counted. */
function counted(client: Client, roundTrips: { count: number; ledger: number }): Client {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const countsAs = name === "execute" || name === "batch" ? 1 : 0;
      return (...args: unknown[]): unknown => {
        roundTrips[isOfLedger(args[0]) ? "ledger" : "count"] += countsAs;
        return value.apply(target, args);
      };
    },
  });
}

function isOfLedger(work: unknown): boolean {
  const [first] = (Array.isArray(work) ? work : [work]) as (string | { sql: string } | [string])[];
  const text = typeof first === "string" ? first : Array.isArray(first) ? first[0] : first?.sql;
  return /^\s*insert (?:or ignore )?into "?(?:usage_|plugin_days)/i.test(text ?? "");
}
