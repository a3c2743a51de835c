import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let admin: Person;
const begin = async (environment: Record<string, string>) => {
  world = await createWorld({ environment });
  admin = await world.admin();
};
beforeEach(() => begin({}));
afterEach(() => world.close());

let count = 0;
const signUp = (address: string | undefined, more: object = {}) =>
  world.call<{ id: string; code: string; detail: string }>("/api/v1/auths/signup", {
    json: { name: "Ada", email: `ada${++count}@harbour.example`, password: "correct horse", ...more },
    ...(address === undefined ? {} : { headers: { "cf-connecting-ip": address } }),
  });
const many = (number: number, address: string) => Promise.all(Array.from({ length: number }, () => signUp(address)));
const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))].toSorted();

describe("sign-ups from one network", () => {
  test("work for a class of 48 at once", async () => {
    expect(statuses(await many(48, "192.0.2.7"))).toEqual([200]);
  });

  test("are limited with 429 and the time to wait; other networks are not", async () => {
    await world.close();
    await begin({ MAX_NETWORK_SIGNUPS: "3" });
    const answers = await many(5, "192.0.2.7");
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    // A neighbour in the same network.
    const refused = await signUp("192.0.2.200");
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "too_many_requests",
      "1200",
    ]);
    expect(refused.body.detail).toContain("from your network");
    expect((await signUp("198.51.100.7")).status).toBe(200);
    expect((await signUp(undefined)).status).toBe(200);
  });

  test("that are wrong in themselves cost nothing; those for taken addresses do", async () => {
    await world.close();
    await begin({ MAX_NETWORK_SIGNUPS: "2" });
    for (let n = 0; n < 4; n++) expect((await signUp("192.0.2.7", { password: "" })).status).toBe(400);
    for (let n = 0; n < 2; n++) expect((await signUp("192.0.2.7", { email: admin.email })).status).toBe(400);
    expect((await signUp("192.0.2.7")).status).toBe(429);
  });

  test("have no limit where a proxy on the same machine does not say who calls", async () => {
    await world.close();
    await begin({ MAX_NETWORK_SIGNUPS: "1" });
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
      expect(statuses(await many(3, address))).toEqual([200]);
  });

  test("have no limit at 0", async () => {
    await world.close();
    await begin({ MAX_NETWORK_SIGNUPS: "0" });
    expect(statuses(await many(10, "192.0.2.7"))).toEqual([200]);
  });
});

describe("the places of those who wait", () => {
  const setNetwork = (number: number) =>
    world.client
      .execute(`INSERT INTO users (id, email, name, role, organization_id, waiting_since, waiting_network, last_active_at, created_at, updated_at)
      WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${number})
      SELECT 'w' || at, 'w' || at || '@x', 'W', 'pending', (SELECT id FROM organizations), 9999999999,
        (SELECT waiting_network FROM users WHERE waiting_network IS NOT NULL), 0, 0, 0 FROM n`);

  test("are not all taken by one network, and those who are activated make room", async () => {
    const { body: first } = await signUp("192.0.2.7");
    await setNetwork(248);
    expect((await signUp("192.0.2.8")).status).toBe(200);
    const refused = await signUp("192.0.2.9");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect(refused.body.detail).toContain("from your network are waiting");
    expect((await signUp("198.51.100.7")).status).toBe(200);
    await world.call(`/api/v1/users/${first.id}/update`, { as: admin, json: { role: "user" } });
    const { rows } = await world.client.execute({
      sql: "SELECT waiting_since, waiting_network FROM users WHERE id = ?",
      args: [first.id],
    });
    expect(rows).toMatchObject([{ waiting_since: null, waiting_network: null }]);
    expect((await signUp("192.0.2.9")).status).toBe(200);
  });

  test("keep no address", async () => {
    await signUp("192.0.2.7");
    const { rows } = await world.client.execute("SELECT waiting_network FROM users WHERE waiting_network IS NOT NULL");
    expect(rows).toHaveLength(1);
    expect(String(rows[0]!["waiting_network"])).not.toContain("192");
  });
});
