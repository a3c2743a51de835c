import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handleRequest } from "../fixtures/handle-request.ts";
import { type Parley, startParley } from "./start-parley.ts";

const scimToken = "the-token-that-the-identity-provider-has";
const password = "correct horse battery staple";

/** A provider that answers with what the test writes; the question names the answer. */
let upstream: Server;
const answers = new Map<string, ServerResponse>();

beforeAll(async () => {
  upstream = createServer(
    handleRequest(async (request, response) => {
      if (request.url === "/v1/models") {
        const data = ["shared", "harbour-only"].map((id) => ({ id, object: "model" }));
        return void response
          .setHeader("content-type", "application/json")
          .end(JSON.stringify({ object: "list", data }));
      }
      const { messages } = JSON.parse(await text(request)) as { messages: { content: string }[] };
      response.writeHead(200, { "content-type": "text/event-stream" });
      answers.set(messages[0]!.content, response);
      write(response, "first");
    }),
  );
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});

function write(response: ServerResponse, content: string): void {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }];
  response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices })}\n\n`);
}

function finish(response: ServerResponse): void {
  const choices = [{ index: 0, delta: {}, finish_reason: "stop" }];
  response.end(
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices })}\n\ndata: [DONE]\n\n`,
  );
}

interface Streaming {
  /** The provider goes on writing. */
  write(content: string): void;
  finish(): void;
  /** The whole body, when it has ended. */
  rest(): Promise<string>;
}

interface Person {
  id: string;
  email: string;
  keyId: string;
  /** Headers of each way in. */
  ways: Record<string, Record<string, string>>;
}

// The header for keys is a matter of the environment: the drill runs with both.
describe.each([
  ["x-api-key", {}],
  ["x-machine-key", { CUSTOM_API_KEY_HEADER: "X-Machine-Key" }],
])("with keys in %s", (keyHeader, environment) => {
  let parley: Parley;
  let admin: string;

  beforeAll(async () => {
    const { port } = upstream.address() as AddressInfo;
    parley = await startParley({
      env: {
        OPENAI_API_BASE_URLS: `http://127.0.0.1:${port}/v1`,
        ENABLE_API_KEYS: "true",
        USER_PERMISSIONS_FEATURES_API_KEYS: "true",
        SCIM_ENABLED: "true",
        SCIM_TOKEN: scimToken,
        SCIM_AUTH_PROVIDER: "oidc",
        ...environment,
      },
    });
    const account = { name: "Grace", email: "grace@example.com", password };
    admin = (await call<{ token: string }>("POST", "/api/v1/auths/signup", account)).token;
  });
  afterAll(() => parley.stop());

  async function call<T>(method: string, path: string, body?: object, token = admin): Promise<T> {
    const response = await fetch(parley.url + path, {
      method,
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: body ? JSON.stringify(body) : null,
    });
    const answer = await response.text();
    expect([path, response.status, answer.slice(0, 200)]).toMatchObject([
      path,
      expect.toBeOneOf([200, 201]),
      expect.anything(),
    ]);
    return JSON.parse(answer) as T;
  }

  const provision = (id: string, active: boolean) =>
    call(
      "PATCH",
      `/api/v1/scim/v2/Users/${id}`,
      {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
        Operations: [{ op: "replace", path: "active", value: active }],
      },
      scimToken,
    );

  let people = 0;

  /** Somebody with a session and a key, in an organization of their own. */
  async function hire(): Promise<Person & { organizationId: string }> {
    people += 1;
    const email = `person${people}@example.com`;
    const { id: organizationId } = await call<{ id: string }>("POST", "/api/v1/organizations", {
      name: `Org ${people}`,
    });
    const { id } = await call<{ id: string }>("POST", "/api/v1/auths/add", {
      name: "Ada",
      email,
      password,
      role: "user",
    });
    await call("POST", `/api/v1/organizations/${organizationId}/members`, { user_ids: [id] });
    const { token } = await call<{ token: string }>("POST", "/api/v1/auths/signin", { email, password }, "");
    const key = await call<{ id: string; api_key: string }>("POST", "/api/v1/auths/api_key", { name: "bot" }, token);
    return {
      id,
      email,
      organizationId,
      keyId: key.id,
      ways: {
        JWT: { authorization: `Bearer ${token}` },
        cookie: { cookie: `token=${token}`, origin: parley.url },
        "Bearer key": { authorization: `Bearer ${key.api_key}` },
        [keyHeader]: { [keyHeader]: key.api_key },
      },
    };
  }

  async function stream(headers: Record<string, string>, model = "shared"): Promise<Streaming> {
    const question = crypto.randomUUID();
    const response = await fetch(`${parley.url}/api/chat/completions`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ model, stream: true, messages: [{ role: "user", content: question }] }),
    });
    expect(response.status).toBe(200);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let body = "";
    while (!body.includes("first")) body += (await reader.read()).value ?? "";
    const answer = answers.get(question)!;
    return {
      write: (content) => write(answer, content),
      finish: () => finish(answer),
      async rest() {
        for (let step = await reader.read(); !step.done; step = await reader.read()) body += step.value;
        return body;
      },
    };
  }

  /** A live socket that has been greeted; `closed` resolves with its code. */
  async function openSocket(headers: Record<string, string>) {
    const socket = new WebSocket(`${parley.url.replace("http", "ws")}/api/v1/events`, { headers } as never);
    const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
    const events: { kind: string; data?: { type: string } }[] = [];
    const changed = new Promise<void>((resolve) =>
      socket.addEventListener("message", ({ data }) => {
        const frame = JSON.parse(data as string) as (typeof events)[number];
        events.push(frame);
        if (frame.data?.type === "session:changed") resolve();
      }),
    );
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("error", () => reject(new Error("the socket was refused")));
    });
    socket.send(JSON.stringify({ kind: "hello" }));
    return { socket, closed, changed };
  }

  const openAll = async (person: Person) => ({
    streams: await Promise.all(Object.values(person.ways).map((headers) => stream(headers))),
    sockets: await Promise.all(Object.values(person.ways).map((headers) => openSocket(headers))),
  });

  /** What each way in answers: to a list, a completion and a socket. */
  async function statuses(person: Person): Promise<Record<string, number[]>> {
    const entries = Object.entries(person.ways).map(async ([way, headers]) => {
      const models = await fetch(`${parley.url}/api/models`, { headers });
      const completion = await fetch(`${parley.url}/api/chat/completions`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ model: "shared", messages: [] }),
      });
      const opened = await openSocket(headers).then(
        ({ socket }) => {
          socket.close();
          return 101;
        },
        () => 0,
      );
      return [way, [models.status, completion.status, opened]] satisfies [string, number[]];
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  const allWays = (person: Person, status: number[]) =>
    Object.fromEntries(Object.keys(person.ways).map((way) => [way, status]));
  /** A completion without a message is not asked for at all, but only who is let in learns that. */
  const letIn = [200, 422, 101];

  const onlyKeys = (person: Person) => ({
    ...allWays(person, letIn),
    JWT: [401, 401, 0],
    cookie: [401, 401, 0],
  });

  /** The change takes hold of everything that is open, and the provider's next words reach nobody. */
  async function endsAllOf(person: Person, change: () => Promise<unknown>): Promise<string[]> {
    const { streams, sockets } = await openAll(person);
    await change();
    for (const each of streams) each.write("secret");
    const bodies = await Promise.all(streams.map((each) => each.rest()));
    for (const body of bodies) {
      expect(body).not.toContain("secret");
      expect(body).not.toContain("[DONE]");
      expect(body).toMatch(/data: \{"error":\{[^\n]*\}\n\n$/);
    }
    await Promise.all(sockets.map(({ closed }) => closed.then((code) => expect(code).toBe(4401))));
    return bodies;
  }

  test("switched off by the identity provider in the middle of a stream, and on again", async () => {
    const ada = await hire();
    expect(await statuses(ada)).toEqual(allWays(ada, letIn));
    await endsAllOf(ada, () => provision(ada.id, false));
    expect(await statuses(ada)).toEqual(allWays(ada, [401, 401, 0]));
    await provision(ada.id, true);
    // Switching somebody off ends their sessions; keys were only blocked.
    expect(await statuses(ada)).toEqual(onlyKeys(ada));
    const { token } = await call<{ token: string }>("POST", "/api/v1/auths/signin", { email: ada.email, password }, "");
    await call("GET", "/api/v1/auths/", undefined, token);
  });

  test("what an administrator revoked stays so when the identity provider switches a person on again", async () => {
    const ada = await hire();
    await provision(ada.id, false);
    await call("DELETE", `/api/v1/auths/admin/api_keys/${ada.keyId}`);
    await provision(ada.id, true);
    expect(await statuses(ada)).toEqual(allWays(ada, [401, 401, 0]));

    const bob = await hire();
    await endsAllOf(bob, () => call("POST", `/api/v1/users/${bob.id}/update`, { active: false }));
    expect(await statuses(bob)).toEqual(allWays(bob, [401, 401, 0]));
    await provision(bob.id, true);
    expect(await statuses(bob)).toEqual(onlyKeys(bob));
  });

  test("the organization is switched off, and on again", async () => {
    const ada = await hire();
    const path = `/api/v1/organizations/${ada.organizationId}`;
    const bodies = await endsAllOf(ada, () => call("PATCH", path, { active: false }));
    for (const body of bodies) expect(body).toContain('"organization_inactive"');
    expect(await statuses(ada)).toEqual(allWays(ada, [403, 403, 0]));
    await call("PATCH", path, { active: true });
    expect(await statuses(ada)).toEqual(allWays(ada, letIn));
  });

  test("a person moves: a key sees the other organization's models from then on", async () => {
    const ada = await hire();
    const elsewhere = await call<{ id: string }>("POST", "/api/v1/organizations", {
      name: `Elsewhere ${people}`,
      model_ids: ["shared"],
    });
    const models = async (way: string) => {
      const response = await fetch(`${parley.url}/api/models`, { headers: ada.ways[way]! });
      return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id).sort();
    };
    expect(await models("Bearer key")).toEqual(["harbour-only", "shared"]);
    const [kept, lost, socket] = [
      await stream(ada.ways["JWT"]!, "shared"),
      await stream(ada.ways["Bearer key"]!, "harbour-only"),
      await openSocket(ada.ways["cookie"]!),
    ];
    await call("POST", `/api/v1/organizations/${elsewhere.id}/members`, { user_ids: [ada.id] });
    await socket.changed;
    for (const each of [kept, lost]) each.write("second");
    kept.finish();
    expect(await kept.rest()).toMatch(/second[^]*\[DONE\]/);
    const refused = await lost.rest();
    expect(refused).not.toContain("second");
    expect(refused).toContain('"model_not_found"');
    for (const way of Object.keys(ada.ways)) expect(await models(way)).toEqual(["shared"]);
    socket.socket.close();
  });

  test("a role changes: somebody who has to wait is let nowhere, and an administrator without the role administers nothing", async () => {
    const ada = await hire();
    await endsAllOf(ada, () => call("POST", `/api/v1/users/${ada.id}/update`, { role: "pending" }));
    const after = await statuses(ada);
    expect(after["Bearer key"]).toEqual([403, 403, 0]);
    expect(after[keyHeader]).toEqual([403, 403, 0]);

    const bob = await hire();
    await call("POST", `/api/v1/users/${bob.id}/update`, { role: "admin" });
    const administer = async (way: string) =>
      (await fetch(`${parley.url}/api/v1/connections`, { headers: bob.ways[way]! })).status;
    expect([await administer("JWT"), await administer("Bearer key")]).toEqual([200, 200]);
    await call("POST", `/api/v1/users/${bob.id}/update`, { role: "user" });
    expect(await administer("Bearer key")).toBe(403);
  });
});
