import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deadOrigin, listing, startProvider, type Provider } from "../models/provider.ts";
import { startParley, type Parley } from "./start-parley.ts";

const fixtures = path.resolve(import.meta.dirname, "../fixtures/tls");

let parley: Parley;
let secure: Server;
let plain: Provider;
let token: string;
beforeAll(async () => {
  const options = {
    key: readFileSync(path.join(fixtures, "host.key")),
    cert: readFileSync(path.join(fixtures, "host.pem")),
  };
  secure = createServer(options, (_, response) => {
    response.setHeader("content-type", "application/json");
    response.end('{"data":[{"id":"sealed"}]}');
  });
  secure.listen(0, "127.0.0.1");
  await once(secure, "listening");
  plain = await startProvider(listing("open"));
  parley = await startParley({ env: { NODE_EXTRA_CA_CERTS: path.join(fixtures, "authority.pem") } });
  const account = { name: "Grace", email: "grace@harbour.example", password: "correct horse" };
  token = ((await (await post("/api/v1/auths/signup", account)).json()) as { token: string }).token;
});
afterAll(async () => {
  await parley?.stop();
  secure?.close();
  await plain?.close();
});

const post = (to: string, body: unknown) =>
  fetch(parley.url + to, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
const verify = async (base_url: string) => (await post("/api/v1/connections/verify", { base_url })).json();

test("a provider is reached over https, also with a certificate of a company's own authority", async () => {
  const port = (secure.address() as AddressInfo).port;
  expect(await verify(`https://127.0.0.1:${port}`)).toMatchObject({ ok: true, models: ["sealed"] });
});

test("what is wrong with an address is told apart in the real runtime too", async () => {
  expect(await verify(plain.origin)).toMatchObject({ ok: true, models: ["open"] });
  expect(await verify(plain.origin.replace("http:", "https:"))).toMatchObject({ ok: false, reason: "tls" });
  expect(await verify(await deadOrigin())).toMatchObject({ ok: false, reason: "refused" });
  expect(await verify("http://no-such-host.invalid")).toMatchObject({ ok: false, reason: "unknown_host" });
  expect(await verify("https://no-such-host.invalid")).toMatchObject({ ok: false, reason: "unknown_host" });
});
