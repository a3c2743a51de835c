import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ada, signUpByApi } from "../browser/accounts.ts";
import { startParley, type Parley } from "./start-parley.ts";

let parley: Parley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley?.stop());

test.each(["/", "/c/0192d3a0-0000-7000-8000-000000000000", "/admin/people", "/nowhere"])(
  "%s is the page of the UI, with its content policy",
  async (path) => {
    const response = await fetch(parley.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(response.headers.get("cache-control")).toContain("must-revalidate");
  },
);

test.each(["/", "/c/0192d3a0-0000-7000-8000-000000000000", "/api/version", "/health"])(
  "%s is answered as if the GET had no body",
  async (path) => {
    const bodies = ['{"a": 1}', "not JSON"];
    for (const body of bodies) expect(await statusOfGet(parley.url + path, body)).toBe(200);
  },
);

/** Not by fetch, which makes no GET with a body. */
function statusOfGet(url: string, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "GET", headers }, (response) => resolve(response.resume().statusCode));
    sent.on("error", reject).end(body);
  });
}

test("the page's own files are kept for good, and a file that is gone is never mistaken for the page", async () => {
  const page = await (await fetch(parley.url)).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)![1]!;
  expect((await fetch(parley.url + script)).headers.get("cache-control")).toContain("immutable");
  const gone = await fetch(`${parley.url}/assets/gone-12345678.js`);
  expect([gone.status, gone.headers.get("cache-control")]).toEqual([404, "no-store"]);
});

test("JSON comes compressed to clients that take gzip, and is the same as without", async () => {
  const { token } = await signUpByApi(parley.url, ada);
  const as = { authorization: `Bearer ${token}` };
  const path = "/api/v1/auths/admin/config/schema";
  const plain = await getRaw(path, as);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const packed = await getRaw(path, { ...as, "accept-encoding": "gzip, deflate, br, zstd" });
  expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  expect(packed.body.length).toBeLessThan(plain.body.length / 2);
  const short = await getRaw("/health", { "accept-encoding": "gzip" });
  expect(short.headers["content-encoding"]).toBeUndefined();
});

test("scripts and styles come compressed to browsers that take brotli, and as they are to others", async () => {
  const page = await (await fetch(parley.url)).text();
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const plain = await getRaw(file, {});
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const packed = await getRaw(file, { "accept-encoding": "gzip, deflate, br, zstd" });
    expect(packed.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": plain.headers["content-type"],
      "cache-control": plain.headers["cache-control"],
      "content-security-policy": plain.headers["content-security-policy"],
      vary: "Accept-Encoding",
    });
    expect(brotliDecompressSync(packed.body).equals(plain.body)).toBe(true);
    expect(packed.body.length).toBeLessThan(plain.body.length / 2);
    const again = { "accept-encoding": "br", "if-none-match": String(packed.headers.etag) };
    expect(await getRaw(file, again)).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect((await getRaw(file, { "accept-encoding": "gzip, br;q=0" })).body.equals(plain.body)).toBe(true);
    expect((await getRaw(file, { "accept-encoding": "br", range: "bytes=0-9" })).headers["content-encoding"]).toBe(
      undefined,
    );
  }
  const gone = await getRaw("/assets/gone-12345678.js", { "accept-encoding": "br" });
  expect([gone.status, gone.headers["cache-control"]]).toEqual([404, "no-store"]);
});

/** Not by fetch, which unpacks. */
function getRaw(path: string, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: IncomingHttpHeaders;
    body: Buffer;
  }>();
  const sent = request(parley.url + path, { headers }, (response) => {
    buffer(response).then(
      (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      reject,
    );
  });
  sent.on("error", reject).end();
  return promise;
}

test.each([
  "/api/nothing",
  "/docs",
  "/openapi.json",
  "/oauth/x/login",
  "/scim/v2/Users",
  "/v1/scim/v2/Users",
  "/v2/Users",
  "/Users?filter=userName%20eq%20%22ada%22",
  "/Groups",
  "/ServiceProviderConfig",
])("%s is the service's, not the UI's", async (path) => {
  const response = await fetch(parley.url + path);
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toContain("json");
});

test.each(["/localmodel/api/nothing", "/ollama/api/nothing"])(
  "%s is a runtime's, for those who are signed in",
  async (path) => {
    const response = await fetch(parley.url + path);
    expect(response.status).toBe(401);
    expect(response.headers.get("content-type")).toContain("json");
  },
);

test("wrangler.toml sends the service what the Worker takes for its own", () => {
  const listed = /run_worker_first = \[([^\]]*)\]/.exec(readFileSync("wrangler.toml", "utf8"))![1]!;
  const pattern = /const servicePaths =\s+(\/.*\/);/.exec(readFileSync("workers/main.ts", "utf8"))![1]!;
  const isService = new RegExp(pattern.slice(1, -1));
  for (const [, path] of listed.matchAll(/"([^"]+)"/g))
    expect(isService.test(`http://127.0.0.1:8080${path!.replace("*", "x")}`), path).toBe(true);
});
