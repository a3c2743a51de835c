import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createFakeProvider,
  createSsoWorld,
  type FakeProvider,
  signInBySso,
} from "../people/auth/oidc/fake-provider.ts";
import { base as scimBase, scimEnvironment, token as scimToken } from "../scim/scim-world.ts";
import type { World } from "../world.ts";

const hook = "https://hooks.harbour.example/people";
let world: World;
let provider: FakeProvider;
const open = async (environment: Record<string, string> = { WEBHOOK_URL: hook }) => {
  provider = await createFakeProvider();
  world = await createSsoWorld(provider, { ...scimEnvironment, ...environment });
  await world.admin();
};
afterEach(() => world.close());

const email = "ada@harbour.example";
const name = "Ada Lovelace";
const doors: readonly [string, () => Promise<unknown>][] = [
  ["a sign-up", () => world.signUp({ name, email })],
  [
    "an administrator",
    async () =>
      world.call("/api/v1/auths/add", {
        as: await world.admin(),
        json: { name, email, password: "correct horse", role: "user" },
      }),
  ],
  [
    "the identity provider by SCIM",
    () => world.call(`${scimBase}/Users`, { as: scimToken, json: { userName: email, displayName: name } }),
  ],
  ["single sign-on", () => signInBySso(world, provider, { sub: "ada-1", email, email_verified: true, name })],
];

async function outbox() {
  const { rows } = await world.client.execute(
    "SELECT payload, state, (SELECT count(*) FROM jobs WHERE kind = 'deliver' AND subject = d.id) AS jobs FROM webhook_deliveries d",
  );
  return rows.map(({ payload, state, jobs }) => ({ payload, state, jobs }));
}

describe("a new person", () => {
  beforeEach(() => open());

  it.each(doors)("is told of once who comes by %s", async (_door, come) => {
    await come();
    expect(await outbox()).toEqual([
      { payload: JSON.stringify({ event: "new_user", user: { email, name } }), state: "pending", jobs: 1 },
    ]);
  });

  it.each(doors)("is told of no more who comes again by %s", async (_door, come) => {
    await world.signUp({ name, email });
    await come().catch(() => undefined);
    expect(await outbox()).toHaveLength(1);
  });

  it("is told of with whatever stands in a name", async () => {
    const odd = `"'; DROP TABLE users; -- \\ <b>&amp;</b> \u{1F600} ünï`;
    await world.signUp({ name: odd, email });
    expect(JSON.parse((await outbox())[0]!.payload as string)).toEqual({
      event: "new_user",
      user: { email, name: odd },
    });
  });

  it("is one person to the receiver, also when many come at once", async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => world.signUp({ name: `Ada ${n}` })));
    const rows = await outbox();
    expect(rows).toHaveLength(8);
    expect(new Set(rows.map(({ payload }) => payload)).size).toBe(8);
  });
});

it("nothing is written, and nobody woken, where nobody is to be told", async () => {
  await open({});
  for (const [, come] of doors) {
    await come().catch(() => undefined);
    await world.client.execute("DELETE FROM users WHERE role <> 'admin'");
  }
  expect(await outbox()).toEqual([]);
  expect((await world.client.execute("SELECT 1 FROM webhook_endpoints")).rows).toEqual([]);
});

it("being told costs those who come no further round trip", async () => {
  const costs: number[] = [];
  for (const environment of [{}, { WEBHOOK_URL: hook }]) {
    await open(environment as Record<string, string>);
    world.roundTrips.reset();
    await world.signUp();
    costs.push(world.roundTrips.count);
    if (costs.length === 1) await world.close();
  }
  expect(costs[1]).toBe(costs[0]);
});
