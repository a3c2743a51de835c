import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type {
  DeliveryDetail,
  DeliveryPage,
  EndpointView,
  SecretView,
  WebhookStats,
} from "../../src/webhooks/schema.ts";
import { sweepWebhooks } from "../../src/webhooks/sweep-webhooks.ts";
import type { Person } from "../world.ts";
import { answers, verified } from "./start-receiver.ts";
import { createWebhookWorld, type WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
let admin: Person;
let ada: Person;
beforeEach(async () => {
  world = await createWebhookWorld();
  admin = await world.admin();
  ada = await world.person();
});
afterEach(() => world.close());

const base = "/api/v1/webhooks/own";
const put = (json: unknown, as = ada) => world.call<EndpointView>(base, { as, method: "PUT", json });
const post = <T>(path: string, as = ada) => world.call<T>(`${base}/${path}`, { as, method: "POST" });

describe("an endpoint of one's own", () => {
  it("is none at first, and then what was set", async () => {
    expect(await world.endpoint("own", ada)).toEqual({
      url: "",
      is_locked: false,
      is_enabled: true,
      is_always: false,
      shape: "generic",
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      paused_until: null,
      previous_until: null,
      pending: 0,
      created_at: null,
      updated_at: null,
    });
    const { status, body } = await put({ url: " https://hooks.slack.com/services/x#y ", is_always: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      url: "https://hooks.slack.com/services/x",
      is_always: true,
      is_enabled: true,
      shape: "slack",
    });
    expect((await put({ is_enabled: false })).body).toMatchObject({
      ...body,
      is_enabled: false,
      updated_at: expect.any(Number),
    });
    expect((await put({ is_enabled: true })).body).toMatchObject({ is_enabled: true, is_always: true });
    expect((await put({ url: "" })).body).toMatchObject({ url: "", is_always: true });
    // Others have theirs.
    expect(await world.endpoint("own", await world.person())).toMatchObject({ url: "", created_at: null });
  });

  it.each([
    ["http://127.0.0.2/x"],
    ["http://10.0.0.1/"],
    ["http://169.254.169.254/latest/meta-data"],
    ["http://[::1]/"],
    ["http://[::ffff:10.0.0.1]/"],
    ["http://2130706434/"],
    ["http://0x7f.2/"],
    ["http://localhost/"],
    ["http://printer.local/"],
    ["http://intranet/"],
    ["ftp://harbour.example/"],
    ["javascript:alert(1)"],
    ["https://ada:secret@harbour.example/"],
    ["harbour.example/hook"],
    [`https://harbour.example/${"x".repeat(2000)}`],
  ])("may not be %s", async (url) => {
    const { status, body } = await put({ url });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain("url");
    expect((await world.endpoint("own", ada)).url).toBe("");
  });

  it.each([{ url: 3 }, { url: null }, { is_enabled: "yes" }, { is_always: 1 }, []])(
    "is not changed by %j",
    async (json) => {
      expect((await put(json)).status).toBe(422);
    },
  );

  it("needs the permission, and people's webhooks to be switched on", async () => {
    await world.call("/api/v1/auths/admin/config", { as: admin, json: { ENABLE_USER_WEBHOOKS: false } });
    expect((await put({ url: world.receiver.url })).status).toBe(403);
    expect((await world.call(base, { as: ada })).status).toBe(403);
    expect((await world.call("/api/v1/webhooks/service", { as: admin })).status).toBe(200);
    expect((await world.call("/api/v1/webhooks/service", { as: ada })).status).toBe(403);
  });

  it("is read and changed in few round trips", async () => {
    await put({ url: world.receiver.url });
    const costs: number[] = [];
    for (const run of [
      () => world.call(base, { as: ada }),
      () => put({ is_always: true }),
      () => world.call(`${base}/deliveries`, { as: ada }),
      () => world.call(`${base}/stats`, { as: ada }),
    ]) {
      world.roundTrips.reset();
      await run();
      costs.push(world.roundTrips.count);
    }
    // One for who asks.
    expect(costs).toEqual([2, 2, 2, 2]);
  });
});

describe("the secret", () => {
  it("is one's own, can be had before an address, and is the same however often it is asked for", async () => {
    const both = await Promise.all([world.secret("own", ada), world.secret("own", ada)]);
    expect(new Set(both).size).toBe(1);
    expect(both[0]).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await world.secret("own", admin)).not.toBe(both[0]);
    const { rows } = await world.client.execute("SELECT sealed_secret FROM webhook_endpoints");
    expect(JSON.stringify(rows)).not.toContain(both[0]!.slice(6));
  });

  it("rotates: for a day both sign, then the new one alone", async () => {
    await put({ url: world.receiver.url });
    const before = await world.secret("own", ada);
    const { body: after } = await post<SecretView>("secret/rotate");
    expect(after.secret).not.toBe(before);
    expect(after.previous_until).toBeGreaterThan(Date.now() + 23 * 3600_000);
    expect(await world.secret("own", ada)).toBe(after.secret);
    expect(await world.endpoint("own", ada)).toMatchObject({ previous_until: after.previous_until });
    await post("test");
    const [both] = world.receiver.received;
    expect(both!.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    expect(verified(before, both!)).toEqual(verified(after.secret, both!));
    world.pass(24 * 3600_000 + 1000);
    await post("test");
    const one = world.receiver.received[1]!;
    expect(verified(after.secret, one)).toMatchObject({ event: "test" });
    expect(() => verified(before, one)).toThrow("No matching signature");
    expect((await world.endpoint("own", ada)).previous_until).toBeNull();
  });

  it("is in no audit row and no log", async () => {
    await put({ url: `${world.receiver.url}/secret-path` });
    const { body } = await post<SecretView>("secret/rotate");
    const { rows } = await world.client.execute("SELECT * FROM audit_events WHERE action LIKE 'webhook.%'");
    expect(rows).toHaveLength(2);
    const said = JSON.stringify([rows, world.logged]);
    expect(said).not.toContain("secret-path");
    expect(said).not.toContain(body.secret.slice(6));
    expect(said).toContain("127.0.0.1");
  });
});

describe("a test", () => {
  it("says at once what came of it, and is tried once", async () => {
    await put({ url: world.receiver.url });
    world.receiver.behave(answers(500, {}, "no"));
    const { status, body } = await post<DeliveryDetail>("test");
    expect(status).toBe(200);
    expect(body).toMatchObject({ event: "test", state: "failed", attempt_count: 1, last_status: 500 });
    expect(body.attempts[0]).toMatchObject({ response: { status: 500, body: "no" }, error: null });
    expect(await world.endpoint("own", ada)).toMatchObject({ failing_since: null, pending: 0 });
    world.receiver.behave(answers(200));
    await put({ is_enabled: false });
    expect((await post<DeliveryDetail>("test")).body).toMatchObject({ state: "delivered" });
    expect(JSON.parse(world.receiver.received[1]!.body)).toEqual({
      event: "test",
      message: "This is a test from Parley",
    });
  });

  it("needs an address, and cannot be used to press others", async () => {
    expect((await post("test")).status).toBe(409);
    await put({ url: world.receiver.url });
    const answered = await Promise.all(Array.from({ length: 14 }, () => post("test")));
    const statuses = answered.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429, 429, 429]);
    expect(answered.find(({ status }) => status === 429)!.headers.get("retry-after")).toBe("60");
    expect(world.receiver.received).toHaveLength(10);
  });

  it("that was broken off is ended by the sweeper", async () => {
    await put({ url: world.receiver.url });
    await post("test");
    await world.client.execute("UPDATE webhook_deliveries SET state = 'pending', finished_at = NULL");
    world.pass(6 * 60_000);
    await sweepWebhooks(world.services);
    expect(await world.deliveries("own", ada)).toMatchObject([{ state: "failed" }]);
  });
});

describe("the log", () => {
  beforeEach(async () => {
    await world.call("/api/v1/webhooks/service", { as: admin, method: "PUT", json: { url: world.receiver.url } });
  });
  const page = (query = "") =>
    world.call<DeliveryPage>(`/api/v1/webhooks/service/deliveries?${query}`, { as: admin }).then(({ body }) => body);

  it("is read page by page, the newest first, also while it grows", async () => {
    for (let made = 0; made < 5; made++) await world.signUp();
    const first = await page("limit=2");
    await world.signUp();
    const second = await page(`limit=2&cursor=${first.next_cursor}`);
    const third = await page(`limit=2&cursor=${second.next_cursor}`);
    const ids = [first, second, third].flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    expect(ids).toHaveLength(5);
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    expect(third.next_cursor).toBeNull();
  });

  it("is filtered by state and event", async () => {
    world.receiver.behave(answers(500));
    await world.signUp();
    await world.deliver();
    await world.call("/api/v1/webhooks/service/test", { as: admin, method: "POST" });
    expect((await page("state=pending")).deliveries).toMatchObject([{ event: "new_user" }]);
    expect((await page("state=failed")).deliveries).toMatchObject([{ event: "test" }]);
    expect((await page("event=test&state=")).deliveries).toHaveLength(1);
    expect((await page("event=chat_response")).deliveries).toEqual([]);
  });

  it.each(["state=gone", "event=x", "limit=0", "limit=101"])("refuses %s", async (query) => {
    expect((await world.call(`/api/v1/webhooks/service/deliveries?${query}`, { as: admin })).status).toBe(422);
  });

  it("refuses a cursor that is none", async () => {
    expect((await world.call("/api/v1/webhooks/service/deliveries?cursor=x", { as: admin })).status).toBe(400);
  });

  it("shows nobody what is somebody else's", async () => {
    await world.signUp();
    await put({ url: world.receiver.url });
    const { deliveries } = await page();
    const path = `/api/v1/webhooks/own/deliveries/${deliveries[0]!.id}`;
    for (const as of [ada, admin]) {
      expect((await world.call(path, { as })).status).toBe(404);
      expect((await world.call(`${path}/replay`, { as, method: "POST" })).status).toBe(404);
    }
    expect((await world.call("/api/v1/webhooks/service/deliveries/msg_x", { as: admin })).status).toBe(404);
  });

  it("is kept for 30 days", async () => {
    await world.signUp();
    await world.deliver();
    world.pass(29 * 86_400_000);
    await sweepWebhooks(world.services);
    expect((await page()).deliveries).toHaveLength(1);
    world.pass(2 * 86_400_000);
    await sweepWebhooks(world.services);
    expect((await page()).deliveries).toEqual([]);
    expect((await world.client.execute("SELECT 1 FROM webhook_attempts")).rows).toEqual([]);
  });
});

describe("sending again", () => {
  beforeEach(async () => {
    await world.call("/api/v1/webhooks/service", { as: admin, method: "PUT", json: { url: world.receiver.url } });
  });
  const again = (id: string) =>
    world.call<DeliveryDetail>(`/api/v1/webhooks/service/deliveries/${id}/replay`, { as: admin, method: "POST" });

  it("sends what is over once more, with the id that the receiver knows", async () => {
    await world.signUp();
    await world.deliver();
    const [first] = await world.deliveries("service", admin);
    const { status, body } = await again(first!.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: "pending",
      replay_of: first!.id,
      webhook_id: first!.id,
      payload: first!.payload,
    });
    await world.deliver();
    // Again of it is again of the first.
    expect((await again(body.id)).body).toMatchObject({ replay_of: first!.id });
    await world.deliver();
    expect(world.receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual(
      Array.from({ length: 3 }, () => first!.id),
    );
    expect(new Set(world.receiver.received.map(({ body: sent }) => sent)).size).toBe(1);
  });

  it("sends what waits now", async () => {
    world.receiver.behave(answers(429, { "retry-after": "3600" }));
    await world.signUp();
    await world.deliver();
    const [first] = await world.deliveries("service", admin);
    world.receiver.behave(answers(200));
    expect((await again(first!.id)).body).toMatchObject({ id: first!.id, state: "pending" });
    await world.deliver();
    expect(await world.deliveries("service", admin)).toMatchObject([{ state: "delivered", attempt_count: 2 }]);
  });

  it("is refused while the webhook is switched off", async () => {
    await world.signUp();
    await world.deliver();
    const [first] = await world.deliveries("service", admin);
    await world.call("/api/v1/webhooks/service", { as: admin, method: "PUT", json: { is_enabled: false } });
    expect((await again(first!.id)).status).toBe(409);
    expect(await world.deliveries("service", admin)).toHaveLength(1);
  });
});

it("figures count attempts by time, with how long they took", async () => {
  await world.call("/api/v1/webhooks/service", { as: admin, method: "PUT", json: { url: world.receiver.url } });
  for (let made = 0; made < 20; made++) await world.signUp();
  await world.deliver();
  world.receiver.behave(answers(500));
  await world.signUp();
  await world.deliver();
  await world.call("/api/v1/webhooks/service/test", { as: admin, method: "POST" });
  await world.client.execute(
    "UPDATE webhook_attempts SET duration = (SELECT count(*) FROM webhook_attempts b WHERE b.delivery_id <= webhook_attempts.delivery_id)",
  );
  for (const by of ["hour", "day"] as const) {
    const { body } = await world.call<WebhookStats>(`/api/v1/webhooks/service/stats?by=${by}`, { as: admin });
    expect(body.buckets).toHaveLength(by === "hour" ? 48 : 30);
    const used = body.buckets.filter(({ succeeded, failed }) => succeeded + failed > 0);
    expect(used.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(20);
    expect(used.reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
    for (const { p50, p95 } of used.filter(({ succeeded }) => succeeded === 20)) expect([p50, p95]).toEqual([10, 19]);
    expect(body.deliveries).toEqual({ pending: 1, delivered: 20, failed: 0, cancelled: 0 });
  }
  expect((await world.call("/api/v1/webhooks/service/stats?by=week", { as: admin })).status).toBe(422);
});

describe("the service's address", () => {
  it("of the environment cannot be changed", async () => {
    const locked = await createWebhookWorld({ WEBHOOK_URL: "https://harbour.example/hook" });
    const as = await locked.admin();
    expect(await locked.endpoint("service", as)).toMatchObject({
      url: "https://harbour.example/hook",
      is_locked: true,
    });
    const change = (json: unknown) => locked.call("/api/v1/webhooks/service", { as, method: "PUT", json });
    expect((await change({ url: "https://other.example/" })).status).toBe(403);
    expect((await change({ url: "https://harbour.example/hook", is_enabled: false })).status).toBe(200);
    expect(await locked.endpoint("service", as)).toMatchObject({ is_enabled: false });
    await locked.close();
  });

  it.each(["https://ada:secret@harbour.example/", "harbour.example", "ftp://harbour.example/"])(
    "of the setting cannot be %s",
    async (url) => {
      const { status } = await world.call("/api/v1/auths/admin/config", { as: admin, json: { WEBHOOK_URL: url } });
      expect(status).toBe(422);
    },
  );

  it("is the setting WEBHOOK_URL", async () => {
    await world.call("/api/v1/webhooks/service", { as: admin, method: "PUT", json: { url: world.receiver.url } });
    const { body } = await world.call("/api/v1/auths/admin/config", { as: admin });
    expect(body).toMatchObject({ WEBHOOK_URL: world.receiver.url });
  });
});
