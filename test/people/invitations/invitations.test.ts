import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Invitation, MadeInvitation, ManyInvitations } from "../../../src/people/invitations/schema.ts";
import { sweepIdentity } from "../../../src/people/sweep-identity.ts";
import { linkIn } from "../../fixtures/mail/start-mail-server.ts";
import { createMailWorld, type MailWorld } from "../../mail/mail-world.ts";
import { defaultOrganizationId, type Person } from "../../world.ts";

let world: MailWorld;
let admin: Person;
beforeEach(async () => {
  world = await createMailWorld({ ENABLE_SIGNUP: "false" });
  admin = await world.admin();
});
afterEach(() => world.close());

interface Refused {
  code: string;
  detail: string;
}

const invite = (json: Record<string, unknown> = {}, as: Person = admin) =>
  world.call<MadeInvitation & Refused>("/api/v1/invitations", { json, as });
const tokenOf = ({ link }: { link: string }) => linkIn(link).token;
const made = async (json: Record<string, unknown> = {}, as: Person = admin) => {
  const { status, body } = await invite(json, as);
  expect([status, body]).toEqual([200, body]);
  return { ...body.invitation, token: tokenOf(body) };
};
const accept = (token: string, changed: Record<string, string> = {}) =>
  world.call<{ token: string; id: string; role: string; organization_id: string } & Refused>(
    "/api/v1/invitations/accept",
    { json: { token, name: "Ada", email: "ada@harbour.example", password: "correct horse", ...changed } },
  );
const look = (token: string) => world.call<Refused>("/api/v1/invitations/look", { json: { token } });
const list = async (as: Person = admin) =>
  (await world.call<{ invitations: Invitation[] }>("/api/v1/invitations", { as })).body.invitations;
const actions = async () =>
  (await world.client.execute("SELECT action FROM audit_events ORDER BY id")).rows.map((row) => row["action"]);

async function organization(name: string): Promise<string> {
  const { body } = await world.call<{ id: string }>("/api/v1/organizations", { json: { name }, as: admin });
  return body.id;
}
async function group(organizationId: string, permissions: unknown = {}): Promise<string> {
  const { body } = await world.call<{ id: string }>("/api/v1/groups/create", {
    json: { name: "Crew", description: "", organization_id: organizationId, permissions },
    as: admin,
  });
  return body.id;
}
async function manager(organizationId: string): Promise<Person> {
  const person = await world.person({ organizationId });
  await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [person.id] });
  return person;
}

describe("an invitation", () => {
  test("makes one account with role, organization and groups, and signs it in, though sign-up is off", async () => {
    const home = await organization("North");
    const crew = await group(home);
    const { token, ...invitation } = await made({ organization_id: home, group_ids: [crew] });
    expect(invitation).toMatchObject({ state: "open", groups: [{ id: crew, name: "Crew" }], used_by: null });
    expect((await look(token)).body).toMatchObject({ email: null, invited_by: "Grace", organization: "North" });
    const { status, body } = await accept(token);
    expect([status, body.role, body.organization_id]).toEqual([200, "user", home]);
    expect((await world.request("/api/v1/auths/", { as: body })).status).toBe(200);
    const members = await world.call<{ id: string }[]>(`/api/v1/groups/id/${crew}/users`, {
      as: admin,
      method: "POST",
    });
    expect(members.body.map(({ id }) => id)).toEqual([body.id]);
    expect(await list()).toMatchObject([{ state: "used", used_by: { id: body.id, name: "Ada" } }]);
    expect((await actions()).slice(-3)).toEqual(["invitation.created", "user.joined", "invitation.used"]);
  });

  test("keeps only a hash of its link, and tells nothing of it in the list and the audit log", async () => {
    const { token } = await made();
    const stored = JSON.stringify([
      (await world.client.execute("SELECT * FROM invitations")).rows,
      (await world.client.execute("SELECT * FROM audit_events")).rows,
      await list(),
    ]);
    expect(stored).not.toContain(token);
  });

  test("is used once: of two people at the same moment one gets an account", async () => {
    const { token } = await made();
    const answers = await Promise.all([
      accept(token, { email: "one@harbour.example" }),
      accept(token, { email: "two@harbour.example" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const { rows } = await world.client.execute(
      "SELECT count(*) AS n FROM users WHERE email LIKE '%o%@harbour.example' AND name = 'Ada'",
    );
    expect(rows[0]!["n"]).toBe(1);
    expect((await accept(token, { email: "three@harbour.example" })).status).toBe(404);
  });

  test("with an address that is taken stays open for another one", async () => {
    await world.person({ email: "ada@harbour.example" });
    const { token } = await made();
    expect(await accept(token)).toMatchObject({ status: 400, body: { code: "email_taken" } });
    expect((await accept(token, { email: "other@harbour.example" })).status).toBe(200);
  });

  test("for an address is for that address only", async () => {
    const { token } = await made({ email: "Ada@Harbour.example" });
    expect(await accept(token, { email: "eve@harbour.example" })).toMatchObject({
      status: 400,
      body: { code: "invalid_email" },
    });
    expect((await accept(token)).status).toBe(200);
    // The audit log says whose invitation it was.
    const { rows } = await world.client.execute("SELECT detail FROM audit_events WHERE action = 'invitation.used'");
    expect(JSON.parse(String(rows[0]?.["detail"]))).toMatchObject({ email: "ada@harbour.example" });
    expect(await invite({ email: "ada@harbour.example" })).toMatchObject({
      status: 400,
      body: { code: "email_taken" },
    });
  });

  test("ends, and is forgotten a month later", async () => {
    const { token } = await made({ days: 1 });
    world.advance(86_401);
    expect((await accept(token)).status).toBe(404);
    expect(await list()).toMatchObject([{ state: "expired" }]);
    world.advance(31 * 86_400);
    await sweepIdentity(world.services);
    expect(await list()).toEqual([]);
  });

  test("is taken back once, and not after it was used", async () => {
    const one = await made();
    const revoke = (id: string, as: Person = admin) =>
      world.call<Refused>(`/api/v1/invitations/${id}`, { method: "DELETE", as });
    expect(await revoke(one.id)).toMatchObject({ status: 200, body: { state: "revoked" } });
    expect((await accept(one.token)).status).toBe(404);
    expect((await revoke(one.id)).status).toBe(200);
    expect((await actions()).filter((action) => action === "invitation.revoked")).toHaveLength(1);
    const two = await made();
    await accept(two.token);
    expect((await revoke(two.id)).status).toBe(409);
    expect((await revoke("nothing")).status).toBe(404);
  });

  test.each(["", "x", "a".repeat(300), "\ud800", "../../etc"])("with the token %j opens nothing", async (token) => {
    expect([404, 422, 400]).toContain((await accept(token)).status);
    expect([404, 422, 400]).toContain((await look(token)).status);
  });
});

describe("many invitations at once", () => {
  const inviteMany = (json: Record<string, unknown>, as: Person = admin) =>
    world.call<ManyInvitations & Refused>("/api/v1/invitations/many", { json, as });

  test("are one for each address that can get one, and name the others", async () => {
    await world.person({ email: "taken@harbour.example" });
    const home = await organization("North");
    const crew = await group(home);
    const { status, body } = await inviteMany({
      emails: ["ada@harbour.example", "ada", " Bo@harbour.example ", "taken@harbour.example", "ADA@harbour.example"],
      organization_id: home,
      group_ids: [crew],
      days: 3,
    });
    expect(status).toBe(200);
    expect(body.made.map(({ invitation }) => invitation.email)).toEqual(["ada@harbour.example", "bo@harbour.example"]);
    expect(body.refused).toEqual([
      { email: "ada", code: "invalid_email", message: expect.any(String) },
      { email: "taken@harbour.example", code: "email_taken", message: expect.any(String) },
    ]);
    const [first, second] = body.made.map(tokenOf);
    expect((await accept(first!, { email: "bo@harbour.example" })).status).toBe(400);
    const joined = await accept(second!, { email: "bo@harbour.example" });
    expect([joined.status, joined.body.organization_id]).toEqual([200, home]);
    expect(await list()).toMatchObject([{ state: "used", groups: [{ id: crew }] }, { state: "open" }]);
    expect((await actions()).filter((action) => action === "invitation.created")).toHaveLength(2);
  });

  test("are sent, each to its address", async () => {
    const { body } = await inviteMany({ emails: ["ada@harbour.example", "bo@harbour.example"], send: true });
    expect(body.made.map(({ is_sent }) => is_sent)).toEqual([true, true]);
    await world.sendMail();
    expect(world.mail.received.flatMap(({ to }) => to).toSorted()).toEqual([
      "ada@harbour.example",
      "bo@harbour.example",
    ]);
  });

  test("are none where something is wrong for all of them", async () => {
    const emails = ["ada@harbour.example", "bo@harbour.example"];
    expect((await inviteMany({ emails, group_ids: ["gone"] })).status).toBe(422);
    expect((await inviteMany({ emails: [] })).status).toBe(422);
    expect(
      (await inviteMany({ emails: Array.from({ length: 101 }, (_, at) => `a${at}@harbour.example`) })).status,
    ).toBe(422);
    expect(await inviteMany({ emails }, await world.person())).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
    const north = await manager(await organization("North"));
    expect((await inviteMany({ emails, role: "admin" }, north)).status).toBe(403);
    expect(await list()).toEqual([]);
  });

  test("that come after the last open one that an administrator may have are named", async () => {
    for (let at = 0; at < 10; at++)
      await inviteMany({ emails: Array.from({ length: 100 }, (_, each) => `a${at}-${each}@harbour.example`) });
    const { body } = await inviteMany({ emails: ["ada@harbour.example"] });
    expect(body).toMatchObject({ code: "limit_reached" });
    const [{ id }] = (await list()) as [Invitation];
    await world.call(`/api/v1/invitations/${id}`, { method: "DELETE", as: admin });
    const last = await inviteMany({ emails: ["ada@harbour.example", "bo@harbour.example"] });
    expect(last.body.made).toHaveLength(1);
    expect(last.body.refused).toMatchObject([{ email: "bo@harbour.example", code: "limit_reached" }]);
  });
});

describe("rights at the time of use", () => {
  test.each([
    ["the inviter was deactivated", (who: string) => ["UPDATE users SET active = 0 WHERE id = ?", who]],
    ["the inviter is no administrator any more", (who: string) => ["UPDATE users SET role = 'user' WHERE id = ?", who]],
  ])("when %s, the link opens nothing and the list says so", async (_what, change) => {
    const other = await world.person({ role: "admin" });
    const { token } = await made({}, other);
    const [sql, id] = change(other.id);
    await world.client.execute({ sql: sql!, args: [id!] });
    expect(await accept(token)).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await list()).toMatchObject([{ state: "void" }]);
  });

  test("when the group or the organization is gone, or is off, too", async () => {
    const home = await organization("North");
    const crew = await group(home);
    const [grouped, plain] = [
      await made({ organization_id: home, group_ids: [crew] }),
      await made({ organization_id: home }),
    ];
    await world.call(`/api/v1/groups/id/${crew}/delete`, { method: "DELETE", as: admin });
    expect((await accept(grouped.token)).status).toBe(409);
    await world.call(`/api/v1/organizations/${home}`, {
      method: "PATCH",
      body: JSON.stringify({ active: false }),
      headers: { "content-type": "application/json" },
      as: admin,
    });
    expect((await accept(plain.token)).status).toBe(409);
    await world.call(`/api/v1/organizations/${home}`, { method: "DELETE", as: admin });
    expect((await accept(plain.token)).status).toBe(404);
  });

  test("an account that was deleted takes its invitations along", async () => {
    const other = await world.person({ role: "admin" });
    const { token } = await made({}, other);
    await world.call(`/api/v1/users/${other.id}`, { method: "DELETE", as: admin });
    expect((await accept(token)).status).toBe(404);
  });
});

describe("an organization's administrator", () => {
  test("invites members into their organization and sees only those", async () => {
    const home = await organization("North");
    const nia = await manager(home);
    await made();
    const { token } = await made({}, nia);
    expect(await list(nia)).toHaveLength(1);
    expect(await list()).toHaveLength(2);
    expect((await accept(token)).body.organization_id).toBe(home);
    expect((await invite({ role: "admin" }, nia)).status).toBe(403);
    expect((await invite({ organization_id: defaultOrganizationId }, nia)).status).toBe(422);
    const foreign = await made();
    expect((await world.call(`/api/v1/invitations/${foreign.id}`, { method: "DELETE", as: nia })).status).toBe(404);
  });

  test("grants through a group only what they have, also when the group gets more later", async () => {
    const home = await organization("North");
    const nia = await manager(home);
    const strong = await group(home, { workspace: { tools: true } });
    expect(await invite({ group_ids: [strong] }, nia)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("workspace.tools") as string },
    });
    expect((await invite({ group_ids: [await group(defaultOrganizationId)] }, nia)).status).toBe(422);
    const weak = await group(home);
    const { token } = await made({ group_ids: [weak] }, nia);
    await world.call(`/api/v1/groups/id/${weak}/update`, {
      json: { name: "Crew", description: "", permissions: { workspace: { tools: true } } },
      as: admin,
    });
    expect((await accept(token)).status).toBe(409);
  });

  test("and everyone else is refused", async () => {
    const ada = await world.person();
    expect((await invite({}, ada)).status).toBe(403);
    expect((await world.call("/api/v1/invitations", { as: ada })).status).toBe(403);
  });
});

describe("by e-mail", () => {
  test("the link arrives and works", async () => {
    const { status, body } = await invite({ email: "ada@harbour.example", send: true });
    expect([status, body.is_sent]).toEqual([200, true]);
    await world.sendMail();
    const [mail, ...more] = world.mail.received;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: ["ada@harbour.example"],
      subject: "Grace invites you to Parley",
      isEncrypted: true,
    });
    expect(mail!.text).toContain("https://parley.example/join#");
    const { page, token } = linkIn(mail!.text);
    expect(page).toBe("/join");
    expect(JSON.stringify((await world.client.execute("SELECT * FROM mail_messages")).rows)).not.toContain(token);
    expect((await accept(token)).status).toBe(200);
  });

  test("needs an address and a mail server", async () => {
    expect((await invite({ send: true })).status).toBe(422);
    await world.close();
    world = await createMailWorld({ SMTP_HOST: "" });
    admin = await world.admin();
    expect(await invite({ email: "ada@harbour.example", send: true })).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
    expect((await invite({ email: "ada@harbour.example" })).status).toBe(200);
  });
});
