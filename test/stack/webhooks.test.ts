import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DeliveryDetail, DeliveryPage, EndpointView } from "../../src/webhooks/schema.ts";
import { answers, type Received, type Receiver, startReceiver, verified } from "../webhooks/start-receiver.ts";
import { startParley, type Parley } from "./start-parley.ts";

/** What dies is found by its lease, and at the latest by the sweeper within a minute. */
const limit = { timeout: 100_000, interval: 200 };
const scimToken = "the-token-that-the-identity-provider-has";

let parley: Parley;
let receiver: Receiver;
let other: Receiver;
let token: string;
let secret: string;

beforeAll(async () => {
  [receiver, other] = await Promise.all([startReceiver(), startReceiver()]);
  parley = await startParley({
    env: {
      // This one only: whatever else is private stays out of reach.
      OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(receiver.url).host,
      SCIM_ENABLED: "true",
      SCIM_TOKEN: scimToken,
    },
  });
  ({ token } = await call<{ token: string }>("POST", "/api/v1/auths/signup", {
    name: "Grace",
    email: "grace@harbour.example",
    password: "correct horse",
  }));
  ({ secret } = await call<{ secret: string }>("GET", "/api/v1/webhooks/service/secret"));
});
afterAll(async () => {
  await parley?.stop();
  await Promise.all([receiver, other].map((each) => each?.close()));
});
beforeEach(() => call("PUT", "/api/v1/webhooks/service", { url: receiver.url, is_enabled: true }));
afterEach(() => {
  receiver.behave(answers(204));
  receiver.received.length = 0;
});

async function call<T>(method: string, path: string, body?: unknown, as = token): Promise<T> {
  const response = await fetch(parley.url + path, {
    method,
    headers: { "content-type": "application/json", ...(as ? { authorization: `Bearer ${as}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

const signUp = (name: string) =>
  call("POST", "/api/v1/auths/signup", { name, email: `${name}@harbour.example`, password: "correct horse" }, "");
const told = () => receiver.received.map(({ body }) => (JSON.parse(body) as { user: { name: string } }).user.name);
const deliveries = async () =>
  (await call<DeliveryPage>("GET", "/api/v1/webhooks/service/deliveries?limit=100")).deliveries;
const deliveryOf = async (received: Received) =>
  call<DeliveryDetail>("GET", `/api/v1/webhooks/service/deliveries/${String(received.headers["webhook-id"])}`);
const tryOut = async (url: string) => {
  await call("PUT", "/api/v1/webhooks/service", { url });
  return call<DeliveryDetail>("POST", "/api/v1/webhooks/service/test");
};

test("new people are told of from every door, signed in a way that libraries verify", async () => {
  await signUp("ada");
  await call("POST", "/api/v1/auths/add", { name: "bo", email: "bo@harbour.example", password: "correct horse" });
  await call("POST", "/api/v1/scim/v2/Users", { userName: "cy@harbour.example", displayName: "cy" }, scimToken);
  await expect.poll(() => told().toSorted(), limit).toEqual(["ada", "bo", "cy"]);
  for (const received of receiver.received) {
    const { name } = (verified(secret, received) as { user: { name: string } }).user;
    expect(received.body).toBe(`{"event":"new_user","user":{"email":"${name}@harbour.example","name":"${name}"}}`);
  }
  await expect
    .poll(async () => (await deliveries()).map(({ state }) => state), limit)
    .toEqual(["delivered", "delivered", "delivered"]);
});

test("what fails is tried again seconds later, with the same id", async () => {
  receiver.behave(answers(500));
  await signUp("dee");
  await expect.poll(() => receiver.received.length, limit).toBe(1);
  receiver.behave(answers(200));
  await expect.poll(() => receiver.received.length, limit).toBe(2);
  const [first, second] = receiver.received;
  expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(5000);
  expect(verified(secret, second!)).toEqual(verified(secret, first!));
  await expect.poll(() => deliveryOf(second!), limit).toMatchObject({ state: "delivered", attempt_count: 2 });
});

test("a slow receiver has ten seconds and more, a silent one is left after fifteen", async () => {
  receiver.behave((response, { path }) => {
    if (path !== "/silent") setTimeout(() => response.writeHead(200).end(), 10_000);
  });
  await call("PUT", "/api/v1/webhooks/own", { url: new URL("/silent", receiver.url).href });
  const [slow, silent] = await Promise.all([
    call<DeliveryDetail>("POST", "/api/v1/webhooks/service/test"),
    call<DeliveryDetail>("POST", "/api/v1/webhooks/own/test"),
  ]);
  await call("PUT", "/api/v1/webhooks/own", { is_enabled: false });
  expect(slow).toMatchObject({ state: "delivered" });
  expect(silent).toMatchObject({ state: "failed", last_error: "timeout", last_status: null });
  expect(silent.attempts[0]!.duration).toBeGreaterThanOrEqual(14_900);
});

test("an answer without an end is taken, and left", async () => {
  let written = 0;
  receiver.behave((response) => {
    response.writeHead(200);
    const timer = setInterval(() => {
      written += 65_536;
      response.write("x".repeat(65_536));
    }, 1);
    response.on("close", () => clearInterval(timer));
  });
  const { state, attempts } = await call<DeliveryDetail>("POST", "/api/v1/webhooks/service/test");
  expect([state, attempts[0]!.response!.body.length]).toEqual(["delivered", 4096]);
  const sent = written;
  // It writes no more when nobody listens.
  await expect.poll(() => receiver.received.length, limit).toBe(1);
  expect(sent).toBeLessThan(1e8);
});

describe("addresses", () => {
  afterEach(() => call("PUT", "/api/v1/webhooks/service", { url: receiver.url }));

  test("that are private are refused when they are set, in every spelling", async () => {
    const { port } = new URL(other.url);
    for (const host of [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "2130706433",
      "0x7f.1",
      "127.1",
      "vm",
    ]) {
      const url = `http://${host}:${port}/hook`;
      await expect(call("PUT", "/api/v1/webhooks/service", { url })).rejects.toThrow("422");
    }
    expect(other.received).toEqual([]);
  });

  test("that got there by the settings are refused when they are called", async () => {
    await call("POST", "/api/v1/auths/admin/config", { WEBHOOK_URL: other.url });
    expect(await call("POST", "/api/v1/webhooks/service/test")).toMatchObject({ last_error: "private_address" });
    await signUp("eve");
    await expect
      .poll(async () => (await deliveries())[0], limit)
      .toMatchObject({ state: "pending", last_error: "private_address" });
    expect(other.received).toEqual([]);
  });

  test("that do not exist, refuse, break, or are no TLS are told apart as far as the runtime tells", async () => {
    expect(await tryOut("https://no-such-host.invalid/hook")).toMatchObject({ last_error: "unreachable" });
    expect(await tryOut(receiver.url.replace("http:", "https:"))).toMatchObject({ last_error: "tls" });
    receiver.behave((response) => void response.destroy());
    expect(await tryOut(receiver.url)).toMatchObject({ last_error: "unreachable" });
  });

  test("that lead elsewhere are not followed", async () => {
    receiver.behave(answers(307, { location: other.url }));
    expect(await tryOut(receiver.url)).toMatchObject({ last_error: "redirect", last_status: 307 });
    expect(other.received).toEqual([]);
  });
});

test("a dead receiver holds up nobody else's deliveries", async () => {
  await call("POST", "/api/v1/auths/admin/config", { DEFAULT_USER_ROLE: "user" });
  receiver.behave(() => undefined);
  for (const name of ["f1", "f2", "f3", "f4", "f5", "f6"]) await signUp(name);
  await expect.poll(() => receiver.received.length, limit).toBeGreaterThanOrEqual(4);
  const { token: own } = await call<{ token: string }>("POST", "/api/v1/auths/signin", {
    email: "f1@harbour.example",
    password: "correct horse",
  });
  receiver.behave((response, { path }) => (path === "/own" ? void response.writeHead(204).end() : undefined));
  await call("PUT", "/api/v1/webhooks/own", { url: new URL("/own", receiver.url).href }, own);
  const begun = Date.now();
  expect(await call("POST", "/api/v1/webhooks/own/test", undefined, own)).toMatchObject({ state: "delivered" });
  const { id } = (await call<DeliveryPage>("GET", "/api/v1/webhooks/own/deliveries", undefined, own)).deliveries[0]!;
  // Again goes through the queue.
  await call("POST", `/api/v1/webhooks/own/deliveries/${id}/replay`, undefined, own);
  await expect.poll(() => receiver.received.filter(({ path }) => path === "/own").length, limit).toBe(2);
  expect(Date.now() - begun).toBeLessThan(14_000);
});

describe("killed with -9", () => {
  test("nothing that was committed is lost, and ids stay", async () => {
    // Nobody gets an answer before everything dies: some are sent, some are not yet.
    receiver.behave(() => undefined);
    const names = Array.from({ length: 12 }, (_, n) => `g${n}`);
    await Promise.all(names.map(signUp));
    await parley.kill9All();
    const before = receiver.received.map(({ headers, body }) => [headers["webhook-id"], body]);
    receiver.received.length = 0;
    receiver.behave(answers(200));
    await parley.restart();
    await expect.poll(() => names.filter((name) => !told().includes(name)), limit).toEqual([]);
    const after = new Map(receiver.received.map(({ headers, body }) => [headers["webhook-id"], body]));
    const begun = before.filter(([, body]) => names.some((name) => body!.includes(`"${name}"`)));
    expect(begun.map(([id]) => after.get(id))).toEqual(begun.map(([, body]) => body));
    const sent = receiver.received.filter(({ body }) => names.some((name) => body.includes(`"${name}"`)));
    // Each once after that.
    expect(sent).toHaveLength(names.length);
    await expect
      .poll(async () => (await deliveries()).filter(({ about }) => /^g\d/.test(about)).map(({ state }) => state), limit)
      .toEqual(names.map(() => "delivered"));
  });
});

test("a receiver that is gone is switched off, and says so", async () => {
  receiver.behave(answers(410));
  await signUp("hal");
  await expect
    .poll(() => call<EndpointView>("GET", "/api/v1/webhooks/service"), limit)
    .toMatchObject({ is_enabled: false, disabled_reason: "gone", pending: 0 });
});
