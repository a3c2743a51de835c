import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Parley, startParley } from "./start-parley.ts";

let parley: Parley;
beforeAll(async () => {
  parley = await startParley({ env: { TRUSTED_PROXIES: "loopback" } });
});
afterAll(() => parley.stop());

/** Sends bytes and reads until `isLast`, or until the service closes. */
async function exchange(bytes: string, isLast: (text: string) => boolean = () => false): Promise<string> {
  const { hostname, port } = new URL(parley.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const closed = once(socket, "end").then(() => undefined);
  let text = "";
  socket.write(bytes);
  try {
    while (!isLast(text)) {
      const more = await Promise.race([once(socket, "data") as Promise<[Buffer]>, closed]);
      if (more === undefined) return `${text}[closed]`;
      text += more[0].toString();
    }
    return text;
  } finally {
    socket.destroy();
  }
}

const request = (first: string, ...headers: string[]) =>
  [`${first} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
const health = request("GET /health");
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
const endsWithHealth = (text: string) => text.endsWith('{"status":true}');

describe("workerd and the front see the same requests", () => {
  test("where a body looks like a request, also of a GET", async () => {
    for (const method of ["GET", "POST"]) {
      const hidden = request("GET /hidden");
      const text = await exchange(
        request(`${method} /api/v1/nowhere`, `Content-Length: ${hidden.length}`) + hidden + health,
        endsWithHealth,
      );
      expect(statuses(text)).toEqual(["404", "200"]);
    }
  });

  test("where chunks have trailers", async () => {
    const chunks = "2\r\n{}\r\n0\r\nGET: /hidden\r\n\r\n";
    const text = await exchange(
      request("POST /api/v1/nowhere", "Transfer-Encoding: chunked") + chunks + health,
      endsWithHealth,
    );
    expect(statuses(text)).toEqual(["404", "200"]);
  });

  test("where a WebSocket is not accepted: what follows is not read", async () => {
    const upgrade = request("GET /api/v1/nowhere", "Upgrade: websocket", "Connection: Upgrade");
    expect(statuses(await exchange(upgrade + health))).toEqual(["404"]);
    const text = await exchange(health + upgrade + health);
    expect(statuses(text)).toEqual(["200", "404"]);
    expect(text).toMatch(/\[closed\]$/);
  });

  test("and a later one that is refused leaves the earlier answers whole", async () => {
    const text = await exchange(health + request("GET /", "Host: localhost"));
    expect(statuses(text)).toEqual(["200", "400"]);
    expect(text).toMatch(/\{"status":true\}HTTP\/1\.1 400 [^]*\[closed\]$/);
  });
});

test("what a trusted proxy says decides whether cookies are Secure", async () => {
  for (const [scheme, isSecure] of [
    ["https", true],
    ["http", false],
  ] as const) {
    const body = JSON.stringify({ name: "Ada", email: `${scheme}@example.com`, password: "correct horse battery" });
    const headers = { "content-type": "application/json", "x-forwarded-proto": scheme };
    const response = await fetch(`${parley.url}/api/v1/auths/signup`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    const cookies = response.headers.getSetCookie();
    expect(cookies.length > 0 && cookies.every((cookie) => cookie.endsWith("; Secure") === isSecure)).toBe(true);
  }
});
