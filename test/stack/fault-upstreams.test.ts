import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConnectionView } from "../../src/models/connections/schema.ts";
import { faults } from "../fixtures/upstreams/faults.ts";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { deadOrigin, hanging, type Provider, startProvider } from "../models/provider.ts";
import { type Parley, startParley } from "./start-parley.ts";

/** What providers get for their first byte and between two, in seconds; beyond that come the machine's own delays. */
const patience = 2;
const longestMs = 20_000;

let parley: Parley;
let upstream: ReplayServer;
let silent: Provider;
let token: string;
beforeAll(async () => {
  upstream = await startReplayServer();
  upstream.models = Object.keys(faults);
  silent = await startProvider(hanging);
  const policy = { first_byte_timeout: patience, idle_timeout: patience, breaker_failures: 0 };
  parley = await startParley({
    env: {
      OPENAI_API_BASE_URLS: [upstream.url, silent.origin].join(";"),
      CONNECTION_OPTIONS: JSON.stringify({ "env-openai-0": { policy } }),
    },
  });
  const account = { name: "Grace", email: "grace@harbour.example", password: "correct horse" };
  token = ((await (await post("/api/v1/auths/signup", account)).json()) as { token: string }).token;
  const dead = { base_url: await deadOrigin(), model_ids: ["dead"], policy: { breaker_failures: 2 } };
  expect((await post("/api/v1/connections", dead)).status).toBe(200);
});
afterAll(async () => {
  await parley?.stop();
  await upstream?.close();
  await silent?.close();
});

const post = (to: string, body: unknown) =>
  fetch(parley.url + to, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });

interface Api {
  path: string;
  body(model: string): Record<string, unknown>;
  /** The error of an answer with a bad status, if it has the dialect's shape. */
  errorIn(body: Record<string, unknown>): unknown;
  /** How an error looks in a stream. */
  inStream: RegExp;
}
const question = [{ role: "user", content: "When does the ferry leave?" }];
const apis: Record<string, Api> = {
  "chat completions": {
    path: "/api/chat/completions",
    body: (model) => ({ model, messages: question }),
    errorIn: ({ error }) => expect.soft(error).toMatchObject({ message: expect.any(String), type: expect.any(String) }),
    inStream: /^data: \{"error":/m,
  },
  messages: {
    path: "/api/v1/messages",
    body: (model) => ({ model, max_tokens: 50, messages: question }),
    errorIn: (body) =>
      expect
        .soft(body)
        .toMatchObject({ type: "error", error: { type: expect.any(String), message: expect.any(String) } }),
    inStream: /^event: error\ndata: \{"type":"error"/m,
  },
  responses: {
    path: "/api/v1/responses",
    body: (model) => ({ model, input: "When does the ferry leave?" }),
    errorIn: ({ error }) => expect.soft(error).toMatchObject({ message: expect.any(String), type: expect.any(String) }),
    inStream: /^event: (?:error|response\.failed)$/m,
  },
};

/** What callers get: the status of a whole answer, and of a stream, or that it came in the middle of one. */
const expected: Record<string, [whole: number, streamed: number | "within"]> = {
  "fault-refuse": [502, 502],
  "fault-hang": [504, 504],
  "fault-hang-headers": [504, 504],
  "fault-hang-middle": [504, "within"],
  "fault-cut": [502, "within"],
  "fault-400": [400, 400],
  "fault-401": [502, 502],
  "fault-404": [404, 404],
  "fault-422": [422, 422],
  "fault-429": [429, 429],
  "fault-500": [500, 500],
  "fault-503": [503, 503],
  "fault-html": [502, 502],
  "fault-html-200": [502, 502],
  "fault-empty": [502, 502],
};

describe.each(Object.entries(apis))("%s", (_, api) => {
  test(
    "tells every failure of a provider by its status, in its own shape and in time",
    { timeout: 120_000 },
    async () => {
      const cases = Object.keys(expected).flatMap((model) => [false, true].map((stream) => ({ model, stream })));
      const found = await Promise.all(
        cases.map(async ({ model, stream }) => {
          const since = Date.now();
          const response = await post(api.path, { ...api.body(model), stream });
          const text = await response.text();
          const took = Date.now() - since;
          return { model, stream, status: response.status, headers: response.headers, text, took };
        }),
      );
      for (const { model, stream, status, headers, text, took } of found) {
        const [whole, streamed] = expected[model]!;
        const wanted = stream ? streamed : whole;
        const name = `${model}${stream ? ", streamed" : ""}`;
        expect.soft(status, `${name}: ${text.slice(0, 300)}`).toBe(wanted === "within" ? 200 : wanted);
        expect.soft(took, name).toBeLessThan(longestMs);
        if (wanted === "within") expect.soft(text, name).toMatch(api.inStream);
        else {
          expect.soft(headers.get("content-type"), name).toContain("json");
          api.errorIn(JSON.parse(text) as Record<string, unknown>);
        }
        if (model === "fault-429") expect.soft(headers.get("retry-after"), name).toBe("7");
      }
    },
  );

  test("says of a provider that nobody runs that it cannot be reached, and soon that it is left alone", async () => {
    const statuses = new Set<number>();
    for (let at = 0; at < 3; at++) {
      const response = await post(api.path, api.body("dead"));
      statuses.add(response.status);
      api.errorIn((await response.json()) as Record<string, unknown>);
      if (response.status === 503) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    for (const status of statuses) expect([502, 503]).toContain(status);
    expect(statuses).toContain(503);
  });
});

test("a provider that hangs keeps nobody from the models of the others for long", async () => {
  const since = Date.now();
  const response = await fetch(`${parley.url}/api/models?refresh=true`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await response.json()) as { data: { id: string }[] };
  expect(data.map(({ id }) => id)).toContain("fault-cut");
  // Three seconds by contract; a machine that is busy with other tests gets some more.
  expect(Date.now() - since).toBeLessThan(10_000);
});

test("administrators see why, and nothing stays under way", async () => {
  const seen = async () => {
    const response = await fetch(`${parley.url}/api/v1/connections`, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as ConnectionView[];
  };
  await expect
    .poll(async () => (await seen()).map(({ health }) => health.in_flight), { timeout: 30_000 })
    .toEqual([0, 0, 0]);
  const [faulty, , dead] = await seen();
  expect(faulty!.health.failed).toBeGreaterThanOrEqual(Object.keys(expected).length);
  expect(faulty!.health.failures).toHaveLength(10);
  expect(dead!.health).toMatchObject({
    breaker: "open",
    failures: expect.arrayContaining([expect.objectContaining({ model: "dead", status: null })]),
  });
});
