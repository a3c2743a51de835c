import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PythonHost, readFixture, startPythonHost } from "./python-host.ts";

let host: PythonHost;
let server: Server;
let address: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      const json = (text: string | Buffer, headers = {}) => {
        response.writeHead(200, { "content-type": "application/json", ...headers }).end(text);
      };
      if (request.url === "/silent") return;
      if (request.url === "/slow") response.writeHead(200).write("a");
      else if (request.url === "/redirect")
        response.writeHead(302, { location: "/echo", "set-cookie": ["a=1; Path=/", "b=2; Path=/"] }).end();
      else if (request.url === "/gzip") json(gzipSync('{"z":1}'), { "content-encoding": "gzip" });
      else if (request.url === "/lines") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const number of [0, 1]) response.write(`data: ${number}\n\n`);
        response.end();
      } else json(JSON.stringify({ body, authorization: request.headers.authorization }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  host = await startPythonHost(address);
}, 120_000);

afterAll(async () => {
  await host.stop();
  server.closeAllConnections();
  server.close();
});

describe("real packages over the host's network", { timeout: 60_000 }, () => {
  const call = (method: string) =>
    host.call(readFixture("network_packages"), method, method === "with_anyio" ? {} : { base: `http://${address}` }, {
      hosts: [address],
    });
  const refused = expect.stringContaining("127.0.0.1 is not a public address") as string;
  const common = [200, [302], { a: "1", b: "2" }, { z: 1 }, true, ["data: 0", "data: 1"]];

  it("httpx follows, unpacks, streams, keeps cookies and times out as it does elsewhere", async () => {
    expect((await call("with_httpx")) as unknown).toMatchObject({
      ok: true,
      value: [...common, "ReadTimeout", refused, "ab"],
    });
  });

  it("requests does, with the reason and the credentials", async () => {
    expect((await call("with_requests")) as unknown).toMatchObject({
      ok: true,
      value: [...common, "ReadTimeout", refused, "Basic dTpw", "OK"],
    });
  });

  it("aiohttp does, with several requests at once", async () => {
    expect((await call("with_aiohttp")) as unknown).toMatchObject({
      ok: true,
      value: [...common, "TimeoutError", refused, [200, 200, 200, 200, 200]],
    });
  });

  it("anyio has groups of tasks and work in threads, certifi a file", async () => {
    expect((await call("with_anyio")) as unknown).toMatchObject({ ok: true, value: [[0, 1, 2], 5, true] });
  });
});
