import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { handleRequest } from "../fixtures/handle-request.ts";

interface Script {
  /** Ids of versions, the one that takes requests first. */
  deployed: string[];
  secrets: Map<string, string>;
  crons: string[];
  /** Of the latest version, as wrangler tells them: their types by their names. */
  bindings: Record<string, string>;
}

/** What an account holds, and what it was asked to do, in order. */
export interface FakeCloudflare {
  /** For CLOUDFLARE_API_BASE_URL. */
  url: string;
  buckets: Set<string>;
  queues: Map<string, string>;
  /** Queues by their consumers' scripts and dead-letter queues. */
  consumers: Map<string, { script: string; deadLetterQueue: string | undefined }>;
  scripts: Map<string, Script>;
  /** Method and path below the account, without what only reads. */
  changes: string[];
  /** What a script may not be deployed for. */
  refusals: Map<string, { code: number; message: string }>;
  close(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The parts of Cloudflare's API that wrangler and the scripts of a deployment use, for one account with nothing in it. */
export async function startFakeCloudflare(): Promise<FakeCloudflare> {
  const account = "0123456789abcdef0123456789abcdef";
  const server = createServer(
    handleRequest(async (request, response) => {
      const url = new URL(request.url ?? "", fake.url);
      const body = await buffer(request);
      const send = (status: number, answer: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
      try {
        const path = url.pathname.replace("/client/v4", "").replace(`/accounts/${account}`, "");
        const result = answer(request.method ?? "", path || "/", url, body, request.headers["content-type"] ?? "");
        if (request.method !== "GET") fake.changes.push(`${request.method} ${path}`);
        send(200, { success: true, errors: [], messages: [], result: await result });
      } catch (error) {
        const { status = 500, code = 10000 } = error as Refusal;
        send(status, {
          success: false,
          errors: [{ code, message: (error as Error).message }],
          messages: [],
          result: null,
        });
      }
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const fake: FakeCloudflare = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
    buckets: new Set(),
    queues: new Map(),
    consumers: new Map(),
    scripts: new Map(),
    changes: [],
    refusals: new Map(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  async function answer(method: string, path: string, url: URL, body: Buffer, type: string): Promise<unknown> {
    const json = () => JSON.parse(body.toString()) as Record<string, never>;
    const route = `${method} ${path}`;
    if (route === "GET /accounts") return [{ id: account, name: "Harbour" }];
    if (route === "GET /subscriptions") return [{ rate_plan: { id: "workers_paid", public_name: "Workers Paid" } }];
    const [, kind, first, name = "", part, last] = path.split("/");
    if (kind === "r2") return answerBuckets(method, name, json);
    if (kind === "queues") return answerQueues(method, first, name, url, json);
    if (kind !== "workers") throw new Refusal(404, 7003, `No route for ${route}`);
    if (route === "GET /workers/scripts") return [...fake.scripts.keys()].map((id) => ({ id, migration_tag: "v3" }));
    if (first === "subdomain") return { subdomain: "harbour" };
    if (first === "assets") return { jwt: "done" };
    if (first === "workers")
      return { id: name, name, subdomain: { enabled: name === "parley", previews_enabled: false } };
    const script = fake.scripts.get(name);
    if (method === "PUT" && part === undefined) {
      const id = await upload(name, body, type);
      fake.scripts.get(name)!.deployed.unshift(id);
      return { id: name, deployment_id: id, startup_time_ms: 1, entry_point: "main.js" };
    }
    if (part === "assets-upload-session") return { jwt: "done", buckets: [] };
    if (script === undefined)
      throw new Refusal(404, first === "services" ? 10090 : 10007, "This Worker does not exist on your account.");
    if (part === "versions")
      return { id: await upload(name, body, type), startup_time_ms: 1, resources: { script: { etag: "1" } } };
    if (method === "DELETE" && part === undefined) return void fake.scripts.delete(name);
    if (first === "services") {
      const deployed = { environment: "production", script: { id: name, last_deployed_from: "wrangler" } };
      return { id: name, default_environment: deployed, ...deployed };
    }
    if (part === "settings")
      return { bindings: Object.entries(script.bindings).map(([key, type]) => ({ name: key, type })) };
    if (part === "secrets" && method === "GET")
      return [...script.secrets.keys()].map((key) => ({ name: key, type: "secret_text" }));
    if (part === "secrets" && method === "DELETE") return void script.secrets.delete(last ?? "");
    if (part === "deployments" && method === "GET")
      return {
        deployments: script.deployed.map((id) => ({
          id,
          source: "wrangler",
          versions: [{ version_id: id, percentage: 100 }],
        })),
      };
    if (part === "deployments") {
      const [{ version_id: id }] = (json() as unknown as { versions: [{ version_id: string }] }).versions;
      script.deployed.unshift(id);
      return { id };
    }
    if (part === "schedules")
      return void (script.crons = (json() as unknown as { cron: string }[]).map(({ cron }) => cron));
    if (part === "subdomain") return { enabled: name === "parley", previews_enabled: false };
    return method === "GET" ? [] : {};
  }

  function answerBuckets(method: string, name: string, json: () => Record<string, string>): unknown {
    if (method === "POST") return void fake.buckets.add(json()["name"]!);
    if (!fake.buckets.has(name)) throw new Refusal(404, 10006, "The specified bucket does not exist.");
    if (method === "DELETE") fake.buckets.delete(name);
    return { name };
  }

  function answerQueues(
    method: string,
    id: string | undefined,
    part: string,
    url: URL,
    json: () => Record<string, string>,
  ): unknown {
    if (part === "consumers" && method === "GET") return [];
    if (part === "consumers") {
      const { script_name: script = "", dead_letter_queue: deadLetterQueue } = json();
      const [name = ""] = [...fake.queues].find(([, each]) => each === id) ?? [];
      fake.consumers.set(name, { script, deadLetterQueue });
      return { script };
    }
    if (method === "POST" && id === undefined) {
      const { queue_name: name = "" } = json();
      fake.queues.set(name, randomUUID());
      return { queue_id: fake.queues.get(name), queue_name: name };
    }
    if (method === "DELETE") {
      for (const [name, each] of fake.queues) if (each === id) fake.queues.delete(name);
      return {};
    }
    const wanted = url.searchParams.get("name");
    const found = [...fake.queues].filter(([name]) => wanted === null || name === wanted);
    return found.map(([name, each]) => ({ queue_id: each, queue_name: name, consumers: [] }));
  }

  /** @returns the id of the new version, which takes no requests yet */
  async function upload(name: string, body: Buffer, type: string): Promise<string> {
    const refusal = fake.refusals.get(name);
    if (refusal) throw new Refusal(400, refusal.code, refusal.message);
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    const { bindings = [] } = JSON.parse(await textOf(form.get("metadata"))) as {
      bindings?: { type: string; name: string; text?: string; service?: string }[];
    };
    const missing = bindings.find((each) => each.type === "service" && !fake.scripts.has(each.service ?? ""));
    if (missing) throw new Refusal(400, 10143, `Could not resolve service binding '${missing.name}'`);
    const before = fake.scripts.get(name) ?? { deployed: [], secrets: new Map(), crons: [], bindings: {} };
    for (const each of bindings) if (each.type === "secret_text") before.secrets.set(each.name, each.text ?? "");
    before.bindings = Object.fromEntries(bindings.map((each) => [each.name, each.type]));
    fake.scripts.set(name, before);
    return randomUUID();
  }
  return fake;
}

const textOf = async (value: FormDataEntryValue | null) =>
  typeof value === "string" ? value : ((await value?.text()) ?? "");
