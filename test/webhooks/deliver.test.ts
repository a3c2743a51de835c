import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGuardedFetch } from "../../src/http/guarded-fetch.ts";
import { sweepJobs } from "../../src/jobs/sweep-jobs.ts";
import type { Person } from "../world.ts";
import { answers, verified } from "./start-receiver.ts";
import { createWebhookWorld, type WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
let admin: Person;
beforeEach(async () => {
  world = await createWebhookWorld();
  admin = await world.admin();
  await setUrl(world.receiver.url);
});
afterEach(() => world.close());

const seconds = 1000;
const hours = 3600 * seconds;
const days = 24 * hours;

async function setUrl(url: string): Promise<void> {
  const { status } = await world.call("/api/v1/webhooks/service", { as: admin, method: "PUT", json: { url } });
  expect(status).toBe(200);
}
const only = async () => {
  const [delivery, ...more] = await world.deliveries("service", admin);
  expect(more).toEqual([]);
  return delivery!;
};

describe("a new person", () => {
  it("is told of in the contract's body, signed, and written down", async () => {
    await world.signUp({ name: "Ada Lovelace", email: "ada@harbour.example" });
    expect(world.jobs.woken).toContain("deliver");
    await world.deliver();
    const [received, ...more] = world.receiver.received;
    expect(more).toEqual([]);
    expect(received!.body).toBe('{"event":"new_user","user":{"email":"ada@harbour.example","name":"Ada Lovelace"}}');
    expect(received!.headers["content-type"]).toBe("application/json");
    const secret = await world.secret("service", admin);
    expect(verified(secret, received!)).toEqual({
      event: "new_user",
      user: { email: "ada@harbour.example", name: "Ada Lovelace" },
    });
    const delivery = await only();
    expect(delivery).toMatchObject({ event: "new_user", state: "delivered", attempt_count: 1, next_attempt_at: null });
    expect(delivery.id).toBe(received!.headers["webhook-id"]);
    const [attempt] = delivery.attempts;
    expect(attempt).toMatchObject({ number: 1, url: world.receiver.url, error: null, response: { status: 204 } });
    expect(attempt!.request.body).toBe(received!.body);
    expect(attempt!.request.headers["webhook-signature"]).toBe(received!.headers["webhook-signature"]);
    expect(JSON.stringify(delivery)).not.toContain(secret.slice("whsec_".length));
    expect((await world.client.execute("SELECT 1 FROM jobs")).rows).toEqual([]);
  });

  it("whose account is not made is not told of", async () => {
    await world.signUp({ email: "ada@harbour.example" });
    const again = await world.call("/api/v1/auths/signup", {
      json: { name: "Ada", email: "ada@harbour.example", password: "correct horse" },
    });
    expect(again.status).toBe(400);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(1);
  });
});

describe("what is not taken", () => {
  it("is tried again by the schedule, with one id, until it is given up", async () => {
    world.receiver.behave(answers(500, { "set-cookie": "session=1" }, "broken"));
    await world.signUp();
    await world.deliver();
    const pauses = [];
    while (pauses.length < 20 && (await only()).state === "pending") pauses.push(await world.deliverNext());
    const expected = [5 * seconds, 300 * seconds, 0.5 * hours, 2 * hours, 5 * hours, 10 * hours, 10 * hours];
    expect(pauses).toHaveLength(expected.length);
    for (const [at, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(expected[at]!);
      // Jitter, and the time between the answer and its row.
      expect(pause).toBeLessThan(expected[at]! * 1.1 + 10_000);
    }
    const delivery = await only();
    expect(delivery).toMatchObject({ state: "failed", attempt_count: 8, next_attempt_at: null, last_status: 500 });
    expect(delivery.attempts.map(({ response }) => response)).toEqual(
      Array.from({ length: 8 }, () => expect.objectContaining({ status: 500, body: "broken" }) as unknown),
    );
    expect(JSON.stringify(delivery)).not.toContain("session=1");
    expect(new Set(world.receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set([delivery.id]),
    );
    const secret = await world.secret("service", admin);
    // Each attempt has a signature of its own time.
    const stamps = world.receiver.received.map(({ headers }) => headers["webhook-timestamp"]);
    expect(new Set(stamps).size).toBe(8);
    expect(() => verified(secret, world.receiver.received[0]!)).toThrow("too old");
    expect(verified(secret, world.receiver.received.at(-1)!)).toMatchObject({ event: "new_user" });
    expect((await world.client.execute("SELECT 1 FROM jobs")).rows).toEqual([]);
    expect(await world.endpoint("service", admin)).toMatchObject({
      is_enabled: true,
      failing_since: expect.any(Number),
    });
  });

  it.each([301, 302, 303, 307, 308])("counts a redirect (%i) as a failure and does not follow it", async (status) => {
    world.receiver.behave((response, { path }) =>
      path === "/hook"
        ? answers(status, { location: "/elsewhere" })(response, world.receiver.received[0]!)
        : response.end(),
    );
    await world.signUp();
    await world.deliver();
    expect(world.receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
    expect(await only()).toMatchObject({ state: "pending", last_status: status, last_error: "redirect" });
  });

  it("is not asked for before Retry-After, nor is anything else of that receiver", async () => {
    world.receiver.behave(answers(429, { "retry-after": "120" }));
    await world.signUp();
    await world.deliver();
    expect((await only()).next_attempt_at! - world.receiver.received[0]!.at).toBeGreaterThanOrEqual(120 * seconds);
    await world.signUp();
    await world.deliver();
    world.pass(110 * seconds);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(1);
    world.receiver.behave(answers(200));
    world.pass(30 * seconds);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(3);
    expect((await world.deliveries("service", admin)).map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    expect(await world.endpoint("service", admin)).toMatchObject({ failing_since: null, paused_until: null });
  });

  it("honours a date in Retry-After", async () => {
    const at = Math.ceil(Date.now() / 1000) * 1000 + 600 * seconds;
    world.receiver.behave(answers(503, { "retry-after": new Date(at).toUTCString() }));
    await world.signUp();
    await world.deliver();
    expect((await only()).next_attempt_at).toBeGreaterThanOrEqual(at);
  });

  it("ends at once where the receiver says so", async () => {
    world.receiver.behave(answers(400, { "webhook-delivery": "abort-message" }));
    await world.signUp();
    await world.deliver();
    expect(await only()).toMatchObject({ state: "failed", attempt_count: 1 });
    expect(await world.endpoint("service", admin)).toMatchObject({ is_enabled: true });
  });

  it("is known by the kind of its failure: a connection that breaks, no TLS, nobody there", async () => {
    const broken = createServer((socket) => void socket.once("data", () => socket.destroy()));
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const { port } = broken.address() as AddressInfo;
    const errors = [];
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `https://127.0.0.1:${new URL(world.receiver.url).port}/`,
      "http://127.0.0.1:1/",
    ]) {
      await setUrl(url);
      const { body } = await world.call<{ last_error: string; last_status: null }>("/api/v1/webhooks/service/test", {
        as: admin,
        method: "POST",
      });
      errors.push([body.last_error, body.last_status]);
    }
    broken.close();
    expect(errors).toEqual([
      ["unreachable", null],
      ["tls", null],
      ["unreachable", null],
    ]);
  });
});

it("a name that leads elsewhere at the second attempt is refused then: the fence is asked every time", async () => {
  // As the fence answers (workers/machine/main.ts) once the name leads to a private address.
  let isPrivate = false;
  const fence: typeof fetch = async (input) => {
    if (isPrivate) return new Response("", { status: 502, headers: { "x-parley-egress": "unreachable" } });
    expect(new Request(input).url).toBe("https://rebound.example/hook");
    return new Response("", { status: 500 });
  };
  world.services.outbound.guarded = createGuardedFetch(fence, fetch, []);
  await setUrl("https://rebound.example/hook");
  await world.signUp();
  await world.deliver();
  isPrivate = true;
  await world.deliverNext();
  const { attempts, state } = await only();
  expect(state).toBe("pending");
  expect(attempts.map(({ error, response }) => [error, response?.status])).toEqual([
    [null, 500],
    ["unreachable", undefined],
  ]);
});

describe("an endpoint", () => {
  it("that is gone is switched off at once, what waits is cancelled, and its owner hears of it", async () => {
    world.receiver.behave(answers(500));
    await world.signUp();
    await world.deliver();
    world.receiver.behave(answers(410));
    await world.signUp();
    await world.deliver();
    expect(await world.endpoint("service", admin)).toMatchObject({
      is_enabled: false,
      disabled_reason: "gone",
      disabled_at: expect.any(Number),
      pending: 0,
    });
    expect((await world.deliveries("service", admin)).map(({ state }) => state)).toEqual(["failed", "cancelled"]);
    expect(world.live.published).toContainEqual({
      userId: admin.id,
      event: { data: { type: "webhook:disabled", data: { whose: "service", reason: "gone" } } },
    });
    expect((await world.client.execute("SELECT 1 FROM jobs")).rows).toEqual([]);
    // What happens meanwhile is kept, to be sent by hand.
    await world.signUp();
    await world.deliver();
    expect(world.receiver.received).toHaveLength(2);
    expect((await world.deliveries("service", admin))[0]).toMatchObject({ state: "cancelled", attempt_count: 0 });
  });

  it("that has taken nothing for five days is switched off, with all that waits", async () => {
    world.receiver.behave(answers(500));
    await world.signUp();
    await world.deliver();
    const since = (await world.endpoint("service", admin)).failing_since!;
    for (let day = 1; day <= 5; day++) {
      world.pass(23.9 * hours);
      await world.signUp();
      await world.deliver();
    }
    expect(await world.endpoint("service", admin)).toMatchObject({ is_enabled: true, failing_since: since });
    world.pass(since + 5 * days - Date.now());
    await world.signUp();
    await world.deliver();
    expect(await world.endpoint("service", admin)).toMatchObject({
      is_enabled: false,
      disabled_reason: "failing",
      pending: 0,
    });
    expect(world.live.published.filter(({ event }) => event.data.type === "webhook:disabled")).toHaveLength(1);
    // With another address it begins anew.
    world.receiver.behave(answers(200));
    await setUrl(`${world.receiver.url}/2`);
    expect(await world.endpoint("service", admin)).toMatchObject({
      is_enabled: true,
      disabled_reason: null,
      failing_since: null,
    });
    await world.signUp();
    await world.deliver();
    expect(world.receiver.received.at(-1)!.path).toBe("/hook/2");
    expect((await world.deliveries("service", admin))[0]).toMatchObject({ state: "delivered" });
  });

  it("that takes something in between goes on for another five days", async () => {
    world.receiver.behave(answers(500));
    await world.signUp();
    await world.deliver();
    world.pass(4 * days);
    world.receiver.behave(answers(200));
    await world.deliver();
    world.pass(4 * days);
    world.receiver.behave(answers(500));
    await world.signUp();
    await world.deliver();
    expect(await world.endpoint("service", admin)).toMatchObject({ is_enabled: true });
  });

  it("with another address gets what waits at once", async () => {
    world.receiver.behave(answers(500));
    await world.signUp();
    await world.deliver();
    world.receiver.behave(answers(200));
    await setUrl(`${world.receiver.url}/2`);
    await world.deliver();
    expect(world.receiver.received.map(({ path }) => path)).toEqual(["/hook", "/hook/2"]);
    expect(await only()).toMatchObject({ state: "delivered", attempt_count: 2 });
  });

  it("that is switched off gets nothing, and what waits is cancelled", async () => {
    world.receiver.behave(answers(500));
    await world.signUp();
    await world.deliver();
    await world.call("/api/v1/webhooks/service", { as: admin, method: "PUT", json: { is_enabled: false } });
    await world.signUp();
    world.pass(days);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(1);
    expect(await only()).toMatchObject({ state: "cancelled" });
  });

  it("follows WEBHOOK_URL wherever it is changed", async () => {
    await world.call("/api/v1/auths/admin/config", { as: admin, json: { WEBHOOK_URL: `${world.receiver.url}/3` } });
    expect(await world.endpoint("service", admin)).toMatchObject({ url: `${world.receiver.url}/3` });
    await world.signUp();
    await world.call("/api/v1/auths/admin/config", { as: admin, json: { WEBHOOK_URL: `${world.receiver.url}/4` } });
    await world.deliver();
    expect(world.receiver.received.map(({ path }) => path)).toEqual(["/hook/4"]);
    await world.signUp();
    await world.call("/api/v1/auths/admin/config", { as: admin, json: { WEBHOOK_URL: "" } });
    await world.deliver();
    expect((await world.deliveries("service", admin)).map(({ state }) => state)).toEqual(["cancelled", "delivered"]);
  });
});

describe("a delivery", () => {
  it("that broke off after it was begun is sent again, with the same id", async () => {
    await world.signUp();
    const { guarded } = world.services.outbound;
    // As if the process had died when the answer was on its way.
    const died = new Promise<void>((resolve) => {
      world.services.outbound.guarded = async (...args) => {
        world.services.outbound.guarded = guarded;
        await guarded(...args);
        resolve();
        return new Promise<Response>(() => undefined);
      };
    });
    void world.deliver();
    await died;
    expect((await only()).attempts).toMatchObject([{ number: 1, error: "unfinished", response: null }]);
    await world.client.execute("UPDATE jobs SET lease = 'of the dead', lease_until = 1");
    await world.deliver();
    const delivery = await only();
    expect(delivery).toMatchObject({ state: "delivered", attempt_count: 2 });
    expect(world.receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([delivery.id, delivery.id]);
  });

  it("that was taken is not sent again when its job is begun anew", async () => {
    await world.signUp();
    await world.client.execute("CREATE TABLE kept AS SELECT * FROM jobs");
    await world.deliver();
    await world.client.execute("INSERT INTO jobs SELECT * FROM kept");
    await world.deliver();
    expect(world.receiver.received).toHaveLength(1);
    expect((await world.client.execute("SELECT 1 FROM jobs")).rows).toEqual([]);
  });

  it("is not sent earlier than due when its job comes too soon", async () => {
    world.receiver.behave(answers(500));
    await world.signUp();
    await world.deliver();
    await world.client.execute("UPDATE jobs SET due_at = 0");
    await world.deliver();
    expect(world.receiver.received).toHaveLength(1);
    expect((await world.client.execute("SELECT due_at FROM jobs")).rows[0]!["due_at"]).toBeGreaterThan(Date.now());
  });

  it("is given up with its job", async () => {
    world.receiver.behave(answers(429));
    await world.signUp();
    await world.deliver();
    world.pass(8 * days);
    await world.client.execute("UPDATE webhook_endpoints SET failing_since = NULL");
    await sweepJobs(world.services);
    expect(await only()).toMatchObject({ state: "failed", next_attempt_at: null });
  });

  it.each([
    [
      "endless",
      (response: ServerResponse) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
        response.on("close", () => clearInterval(timer));
      },
    ],
    ["huge", (response: ServerResponse) => void response.writeHead(200).end("é".repeat(5_000_000))],
  ])("is taken by an %s answer, of which little is kept", async (_name, behaviour) => {
    world.receiver.behave(behaviour);
    await world.signUp();
    await world.deliver();
    const { attempts, state } = await only();
    expect(state).toBe("delivered");
    expect(attempts[0]!.response!.body.length).toBe(4096);
  });
});
