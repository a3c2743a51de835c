import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MailTestResult } from "../../src/mail/schema.ts";
import { linkIn, type MailServerFixture, startMailServer } from "../fixtures/mail/start-mail-server.ts";
import { startParley, type Parley } from "./start-parley.ts";

/** What dies is found by its lease, and at the latest by the sweeper within a minute. */
const limit = { timeout: 100_000, interval: 200 };
const authority = path.join(import.meta.dirname, "../fixtures/tls/authority.pem");

let parley: Parley;
let plain: MailServerFixture;
let secure: MailServerFixture;
let token: string;

beforeAll(async () => {
  [plain, secure] = await Promise.all([
    startMailServer({ user: { name: "parley", password: "secret-of-mail" } }),
    startMailServer({ secure: true }),
  ]);
  parley = await startParley({ env: { NODE_EXTRA_CA_CERTS: authority, SMTP_FROM: "parley@harbour.example" } });
  ({ token } = await call<{ token: string }>("POST", "/api/v1/auths/signup", {
    name: "Grace",
    email: "grace@harbour.example",
    password: "correct horse",
  }));
});
afterAll(async () => {
  await parley?.stop();
  await Promise.all([plain, secure].map((each) => each?.close()));
});

async function call<T>(method: string, route: string, body?: unknown): Promise<T> {
  const response = await fetch(parley.url + route, {
    method,
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${route} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
const set = (values: Record<string, unknown>) => call("POST", "/api/v1/auths/admin/config", values);
const tryOut = () => call<MailTestResult>("POST", "/api/v1/mail/test", { to: "ada@harbour.example" });

test("the runtime talks to a mail server on this machine: with STARTTLS, with TLS, in the clear, and never past a wrong name", async () => {
  await set({ SMTP_HOST: "127.0.0.1", SMTP_PORT: plain.port, SMTP_USER: "parley" });
  await call("PUT", "/api/v1/mail/password", { password: "secret-of-mail" });
  expect(await tryOut()).toMatchObject({ sent: true, message: "" });
  expect(plain.received.at(-1)).toMatchObject({ isEncrypted: true, user: "parley" });
  await set({ SMTP_SECURITY: "none" });
  expect((await tryOut()).sent).toBe(true);
  expect(plain.received.at(-1)).toMatchObject({ isEncrypted: false });
  await set({ SMTP_PORT: secure.port, SMTP_SECURITY: "tls", SMTP_USER: "" });
  expect(await tryOut()).toMatchObject({ sent: true });
  expect(secure.received.at(-1)).toMatchObject({ isEncrypted: true });
  // The certificate is for 127.0.0.1 only.
  await set({ SMTP_HOST: "localhost" });
  expect(await tryOut()).toMatchObject({ sent: false, step: "connect" });
  await set({ SMTP_PORT: plain.port, SMTP_SECURITY: "starttls" });
  expect(await tryOut()).toMatchObject({ sent: false, step: "tls" });
  await set({ SMTP_PORT: 1 });
  expect(await tryOut()).toMatchObject({ sent: false, step: "connect" });
});

test("an invitation that waits is sent after kill -9, and its link works once", async () => {
  await set({ SMTP_HOST: "127.0.0.1", SMTP_PORT: plain.port, SMTP_SECURITY: "starttls", SMTP_USER: "parley" });
  plain.refuse = { step: "sender", code: 451, words: "Not now" };
  await call("POST", "/api/v1/invitations", { email: "ada@harbour.example", send: true });
  await expect.poll(async () => (await call<{ pending: number }>("GET", "/api/v1/mail")).pending, limit).toBe(1);
  await parley.kill9All();
  plain.refuse = undefined;
  plain.received.length = 0;
  await parley.restart();
  await expect.poll(() => plain.received.length, limit).toBeGreaterThan(0);
  const link = linkIn(plain.received[0]!.text);
  const accept = () =>
    fetch(`${parley.url}/api/v1/invitations/accept`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: link.token, name: "Ada", email: "ada@harbour.example", password: "correct horse" }),
    });
  expect((await accept()).status).toBe(200);
  expect((await accept()).status).toBe(404);
});
