import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "./start-parley.ts";

let parley: Parley;
let token: string;

beforeAll(async () => {
  parley = await startParley({
    env: {
      ENABLE_API_KEYS: "true",
      CUSTOM_API_KEY_HEADER: "X-Machine-Key",
      ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: "true",
      API_KEYS_ALLOWED_ENDPOINTS: "GET /api/models, /api/chat/completions, /api/v1/events",
    },
  });
  const account = { name: "Ada", email: "ada@example.com", password: "correct horse battery staple" };
  ({ token } = await call<{ token: string }>("POST", "/api/v1/auths/signup", account));
});
afterAll(() => parley.stop());

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${parley.url}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: body ? JSON.stringify(body) : null,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const makeKey = async () => call<{ id: string; api_key: string }>("POST", "/api/v1/auths/api_key", { name: "bot" });

/** A request whose path goes out letter by letter, which no client library does. */
function statusOf(path: string, header: string): Promise<number> {
  const { hostname, port } = new URL(parley.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${header}\r\nConnection: close\r\n\r\n`),
    );
    let answer = "";
    socket.on("data", (bytes: Buffer) => (answer += bytes.toString("latin1")));
    socket.on("close", () => resolve(Number(answer.slice(9, 12))));
    socket.on("error", reject);
  });
}

test("a key reaches what is listed, and nothing that only looks like it", async () => {
  const { api_key: key } = await makeKey();
  const headers = [`Authorization: Bearer ${key}`, `X-Machine-Key: ${key}`, `Cookie: token=${key}`];
  for (const header of headers) {
    for (const path of ["/api/models", "/api/v1/models/?x=1"]) expect(await statusOf(path, header)).toBe(200);
    for (const path of ["/api/v1/users/groups", "/api/models/base", "/api/%6dodels", "/api/models/."])
      expect([path, await statusOf(path, header)]).toEqual([path, 401]);
    for (const path of [
      "//api/models",
      "/api/models%2fbase",
      "/api//models",
      "/api/./models",
      "/./api/models",
      "/x/../api/models",
      "/x/%2e%2e/api/models",
      "/api/v1/users/../models",
      "/api/x/%2e%2e/models",
    ])
      expect([path, await statusOf(path, header)]).toEqual([path, 404]);
  }
  expect(await statusOf("/api/models", `x-api-key: ${key}`)).toBe(401);
  expect(await statusOf("/api/models", `Authorization: Bearer  ${token}`)).toBe(200);
});

test("an open socket ends with the key that opened it", async () => {
  const { id, api_key: key } = await makeKey();
  const other = await makeKey();
  const open = async (secret: string) => {
    const socket = new WebSocket(`${parley.url.replace("http", "ws")}/api/v1/events`, {
      headers: { "x-machine-key": secret },
    } as never);
    const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    // As every client does. workerd lets go of a socket that never said a word only when its object goes to sleep.
    const welcome = new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }));
    socket.send(JSON.stringify({ kind: "hello" }));
    await welcome;
    return { socket, closed };
  };
  const [mine, theirs] = [await open(key), await open(other.api_key)];
  await call("DELETE", `/api/v1/auths/api_keys/${id}`);
  expect(await mine.closed).toBe(4401);
  expect(theirs.socket.readyState).toBe(WebSocket.OPEN);
  await call("DELETE", "/api/v1/auths/admin/api_keys");
  expect(await theirs.closed).toBe(4401);
});

test("the audit log says so, as pages and as a file, without the keys", async () => {
  const { api_key: key } = await makeKey();
  const page = await call<{ events: { action: string }[] }>("GET", "/api/v1/audit?action=api_key.*&limit=3");
  expect(page.events.map((event) => event.action)).toEqual(["api_key.created", "api_key.deleted", "api_key.deleted"]);
  const file = await fetch(`${parley.url}/api/v1/audit/export`, { headers: { authorization: `Bearer ${token}` } });
  const text = await file.text();
  expect(text.split("\r\n")[0]).toMatch(/^time,actor_kind,/);
  expect(text).toContain(",api_key.created,");
  expect(text).not.toContain(key);
});
