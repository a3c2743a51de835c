import { afterEach, beforeEach, expect, test } from "vitest";
import type { World } from "../../../world.ts";
import { createFakeProvider, createSsoWorld, type FakeProvider, signInBySso, visit, whoIs } from "./fake-provider.ts";

let provider: FakeProvider;
let world: World;
beforeEach(async () => {
  provider = await createFakeProvider();
  world = await createSsoWorld(provider, {
    OAUTH_TIMEOUT: "1",
    ENABLE_OAUTH_ROLE_MANAGEMENT: "true",
    ENABLE_OAUTH_GROUP_MANAGEMENT: "true",
    ENABLE_OAUTH_GROUP_CREATION: "true",
  });
  provider.scene.claims["roles"] = ["user"];
  await world.admin();
});
afterEach(() => world.close());

const json = (text: string) => new Response(text, { headers: { "content-type": "application/json" } });
const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

/** Bytes that come for as long as they are read. */
function endless(): Response {
  const piece = new TextEncoder().encode(" ".repeat(50_000));
  return new Response(
    new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.enqueue(piece);
      },
    }),
    { headers: { "content-type": "application/json" } },
  );
}

const places = ["/.well-known/openid-configuration", "/token", "/me", "/keys"];
const answers: [string, () => Response][] = [
  ["is nested 400,000 levels deep", () => json(deep(400_000))],
  ["is an object nested 100,000 levels deep", () => json(`{"a":${`{"a":`.repeat(100_000)}1${"}".repeat(100_001)}`)],
  ["has 300,000 values", () => json(`{"keys":[${"{},".repeat(300_000)}{}]}`)],
  ["is a number", () => json("7")],
  ["is null", () => json("null")],
  ["is broken UTF-8", () => new Response(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]))],
  ["never ends", endless],
  ["leads elsewhere", () => new Response(null, { status: 307, headers: { location: "http://169.254.169.254/" } })],
  ["tells the browser to go elsewhere", () => json('{"__proto__":{"issuer":"x"},"constructor":{"prototype":{}}}')],
];

test.each(places.flatMap((place) => answers.map(([what, answer]) => [place, what, answer] as const)))(
  "an answer of %s that %s is a sign-in that failed, and nothing else",
  async (place, _, answer) => {
    provider.scene.instead[place] = answer;
    const { location, token } = await signInBySso(world, provider);
    expect(location).toBe("/sign-in?error=sso_provider_failed");
    expect(token).toBeUndefined();
    // Keys are asked for again after ten seconds only.
    if (place === "/keys") return;
    delete provider.scene.instead[place];
    const { location: after } = await signInBySso(world, provider, { ...provider.scene.claims, sub: "later" });
    // What was wrong with it is not kept.
    expect(after).toBe("/");
  },
);

const huge = "x".repeat(5000);
test.each<[string, Record<string, unknown>]>([
  ["a name of markup", { name: '<img src=x onerror=alert(1)>"\u202e\u0000\ud800' }],
  ["a name of 5,000 characters", { name: huge }],
  ["a picture that is a script", { picture: "javascript:alert(1)" }],
  ["a picture that is an object", { picture: { toString: "x" } }],
  ["20,000 roles and groups", { roles: range(20_000), groups: range(20_000) }],
  ["groups of quotes, wildcards and control characters", { groups: ["a'); DROP TABLE users; --", "%", "_", "\u0000"] }],
  ["names of objects in every place", { name: {}, picture: [], roles: {}, groups: { a: 1 }, given_name: [[]] }],
  ["names that every object has", { constructor: 1, toString: 2, ["__proto__"]: { role: "admin" } }],
  ["a claim nested 2,000 levels deep", { more: JSON.parse(deep(2000)) as unknown }],
])("claims with %s sign in as one ordinary person, or not at all", async (_, claims) => {
  const before = await world.client.execute("SELECT count(*) AS n FROM users WHERE role = 'admin'");
  const { location, token } = await signInBySso(world, provider, { ...provider.scene.claims, sub: "s", ...claims });
  expect(["/", "/sign-in?error=sso_provider_failed", "/sign-in?error=sso_role_not_allowed"]).toContain(location);
  const who = token ? await whoIs(world, token) : undefined;
  expect([undefined, "user"]).toContain(who?.role);
  expect(who?.name ?? "nobody").toMatch(/^[^\p{Cc}\p{Cs}]{1,200}$/u);
  const after = await world.client.execute("SELECT count(*) AS n FROM users WHERE role = 'admin'");
  expect(after.rows).toEqual(before.rows);
});

test.each([
  ["a script", "error=<script>alert(1)</script>"],
  ["much markup", `error=access_denied&error_description=${"<b>".repeat(3000)}`],
  ["a control character", "error=%00"],
])("an error of %s in a callback goes on no page", async (_, query) => {
  const jar = new Map<string, string>();
  const started = new URL((await visit(world, "/oauth/oidc/login", jar)).headers.get("location")!);
  const state = started.searchParams.get("state")!;
  const response = await visit(world, `/oauth/oidc/login/callback?${query}&state=${state}`, jar);
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toMatch(/^\/sign-in\?error=[a-z_]+$/);
  expect(await response.text()).toBe("");
});

function range(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `name ${at}`);
}
