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
  await post("/api/v1/connections", dead);
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
  /** The error of an answer with a bad status, where the answer has the dialect's shape. */
  errorIn(body: Record<string, unknown>): unknown;
  /** How an error looks in a stream. */
  inStream: RegExp;
}
const question = [{ role: "user", content: "When does the ferry leave?" }];
const apis: Record<string, Api> = {
  "chat completions": {
    path: "/api/chat/completions",
    body: (model) => ({ model, messages: question }),
    errorIn: ({ error }) => error,
    inStream: /^data: \{"error":/m,
  },
  messages: {
    path: "/api/v1/messages",
    body: (model) => ({ model, max_tokens: 50, messages: question }),
    errorIn: ({ type, error }) => (type === "error" ? error : undefined),
    inStream: /^event: error\ndata: \{"type":"error"/m,
  },
  responses: {
    path: "/api/v1/responses",
    body: (model) => ({ model, input: "When does the ferry leave?" }),
    errorIn: ({ error }) => error,
    inStream: /^event: (?:error|response\.failed)$/m,
  },
};

/** What a caller got, in a few words: the status, where the error was found, and that it took too long. */
async function told(api: Api, model: string, stream: boolean): Promise<string> {
  const since = Date.now();
  const response = await post(api.path, { ...api.body(model), stream });
  const text = await response.text();
  const late = Date.now() - since > longestMs ? ", late" : "";
  const { status, headers } = response;
  if (status === 200) return `200 with ${api.inStream.test(text) ? "an error within" : text.slice(0, 200)}${late}`;
  const isJson = headers.get("content-type")?.includes("json") === true;
  const error = isJson ? api.errorIn(JSON.parse(text) as Record<string, unknown>) : undefined;
  const { message, type } = (error ?? {}) as Record<string, unknown>;
  const isShaped = typeof message === "string" && message !== "" && typeof type === "string";
  const again = headers.has("retry-after") ? `, again in ${headers.get("retry-after")} s` : "";
  return `${status} ${isShaped ? "in its shape" : `as ${text.slice(0, 200)}`}${again}${late}`;
}

const shaped = (status: number) => `${status} in its shape`;
const within = "200 with an error within";
/** What callers are told, of a whole answer and of a stream. */
const expected: Record<string, [whole: string, streamed: string]> = {
  "fault-refuse": [shaped(502), shaped(502)],
  "fault-hang": [shaped(504), shaped(504)],
  "fault-hang-headers": [shaped(504), shaped(504)],
  "fault-hang-middle": [shaped(504), within],
  "fault-cut": [shaped(502), within],
  "fault-400": [shaped(400), shaped(400)],
  "fault-401": [shaped(502), shaped(502)],
  "fault-404": [shaped(404), shaped(404)],
  "fault-422": [shaped(422), shaped(422)],
  "fault-429": [`${shaped(429)}, again in 7 s`, `${shaped(429)}, again in 7 s`],
  "fault-500": [shaped(500), shaped(500)],
  "fault-503": [`${shaped(503)}, again in 30 s`, `${shaped(503)}, again in 30 s`],
  "fault-html": [shaped(502), shaped(502)],
  "fault-html-200": [shaped(502), shaped(502)],
  "fault-empty": [shaped(502), shaped(502)],
};

describe.each(Object.entries(apis))("%s", (_, api) => {
  test(
    "tells every failure of a provider by its status, in its own shape and in time",
    { timeout: 120_000 },
    async () => {
      const found = await Promise.all(
        Object.keys(expected).map(async (model) => {
          const both = await Promise.all([told(api, model, false), told(api, model, true)]);
          return [model, both] as const;
        }),
      );
      expect(Object.fromEntries(found)).toEqual(expected);
    },
  );

  test("says of a provider that nobody runs that it cannot be reached, and soon that it is left alone", async () => {
    const answers: string[] = [];
    for (let at = 0; at < 3; at++) answers.push(await told(api, "dead", false));
    for (const answer of answers) expect(answer).toMatch(/^(?:502 in its shape|503 in its shape, again in \d+ s)$/);
    expect(answers.at(-1)).toMatch(/^503/);
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
  expect(Date.now() - since).toBeLessThan(20_000);
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
