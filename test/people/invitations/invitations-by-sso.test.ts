import { afterEach, beforeEach, expect, test } from "vitest";
import type { MadeInvitation } from "../../../src/people/invitations/schema.ts";
import { linkIn } from "../../fixtures/mail/start-mail-server.ts";
import type { Person, World } from "../../world.ts";
import {
  createFakeProvider,
  createSsoWorld,
  type FakeProvider,
  signInBySso,
  whoIs,
} from "../auth/oidc/fake-provider.ts";

let provider: FakeProvider;
let world: World;
let admin: Person;
beforeEach(async () => {
  provider = await createFakeProvider();
  world = await createSsoWorld(provider, { ENABLE_OAUTH_SIGNUP: "false", DEFAULT_USER_ROLE: "pending" });
  admin = await world.admin();
});
afterEach(() => world.close());

const ada = { sub: "ada-1", email: "ada@harbour.example", email_verified: true, name: "Ada Lovelace" };

async function invite(json: Record<string, unknown> = {}): Promise<string> {
  const { body } = await world.call<MadeInvitation>("/api/v1/invitations", { json, as: admin });
  return linkIn(body.link).token;
}
/** The browser's cookies after it has opened the link and gone on to the provider. */
async function keep(token: string): Promise<Map<string, string>> {
  const { status, headers } = await world.call("/api/v1/invitations/sso", { json: { token } });
  expect(status).toBe(200);
  const [pair = ""] = headers.getSetCookie()[0]!.split(";");
  return new Map([[pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]]);
}
const states = async () =>
  (await world.call<{ invitations: { state: string }[] }>("/api/v1/invitations", { as: admin })).body.invitations.map(
    ({ state }) => state,
  );

test("an invitation makes the account of somebody who signs in through a provider, though that makes no others", async () => {
  expect((await signInBySso(world, provider, ada)).location).toBe("/sign-in?error=sso_no_account");
  const { body: group } = await world.call<{ id: string }>("/api/v1/groups/create", {
    json: { name: "Crew", description: "" },
    as: admin,
  });
  const jar = await keep(await invite({ group_ids: [group.id] }));
  const { location, token } = await signInBySso(world, provider, ada, { jar });
  expect(location).toBe("/");
  const person = await whoIs(world, token);
  expect(person).toMatchObject({ email: "ada@harbour.example", role: "user" });
  const members = await world.call<{ id: string }[]>(`/api/v1/groups/id/${group.id}/users`, {
    as: admin,
    method: "POST",
  });
  expect(members.body.map(({ id }) => id)).toEqual([person.id]);
  expect(await states()).toEqual(["used"]);
  expect(jar.has("invitation")).toBe(false);
});

test("one for another address makes none, and one that is over is as good as none", async () => {
  const other = await keep(await invite({ email: "bo@harbour.example" }));
  expect((await signInBySso(world, provider, ada, { jar: other })).location).toBe(
    "/sign-in?error=sso_other_invitation",
  );
  const token = await invite();
  const jar = await keep(token);
  world.advance(8 * 86_400);
  expect((await signInBySso(world, provider, ada, { jar })).location).toBe("/sign-in?error=sso_no_account");
  expect((await world.call("/api/v1/invitations/sso", { json: { token } })).status).toBe(404);
});

test("somebody who has an account already signs in, and the invitation stays open", async () => {
  await signInBySso(world, provider, ada, { jar: await keep(await invite()) });
  const { location } = await signInBySso(world, provider, ada, { jar: await keep(await invite()) });
  expect(location).toBe("/");
  expect((await states()).toSorted()).toEqual(["open", "used"]);
});

test("two people with one invitation at the same moment: one gets an account", async () => {
  const token = await invite();
  const [one, two] = await Promise.all([keep(token), keep(token)]);
  provider.scene.claims = ada;
  const first = await signInBySso(world, provider, ada, { jar: one! });
  const second = await signInBySso(
    world,
    provider,
    { ...ada, sub: "bo-1", email: "bo@harbour.example" },
    { jar: two! },
  );
  expect([first.location, second.location]).toEqual(["/", "/sign-in?error=sso_no_account"]);
});
