import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { linkIn } from "../../fixtures/mail/start-mail-server.ts";
import { createMailWorld, type MailWorld } from "../../mail/mail-world.ts";
import type { Person } from "../../world.ts";

const email = "ada@harbour.example";
const password = "correct horse";

let world: MailWorld;
let admin: Person;
let ada: Person;
beforeEach(async () => {
  world = await createMailWorld();
  admin = await world.admin();
  ada = await world.person({ email, password });
});
afterEach(() => world.close());

interface Refused {
  code: string;
}

const forgotten = (address: string, headers: Record<string, string> = {}) =>
  world.call<Refused>("/api/v1/auths/password/forgotten", { json: { email: address }, headers });
const reset = (token: string, next = "new horse") =>
  world.call<Refused>("/api/v1/auths/password/reset", { json: { token, password: next } });
const look = (token: string) => world.call<{ email: string }>("/api/v1/auths/password/look", { json: { token } });
const signIn = (given: string) =>
  world.call<{ token: string }>("/api/v1/auths/signin", { json: { email, password: given } });
const makeLink = (id: string, as: Person = admin) =>
  world.call<{ link: string } & Refused>(`/api/v1/users/${id}/reset_link`, { method: "POST", as });
const linkFor = async (id: string, as: Person = admin) => linkIn((await makeLink(id, as)).body.link).token;
const mailed = async () => {
  await world.sendMail();
  return linkIn(world.mail.received.at(-1)!.text).token;
};
const actions = async () =>
  (await world.client.execute("SELECT action FROM audit_events WHERE action LIKE 'user.%' ORDER BY id")).rows.map(
    (row) => row["action"],
  );

describe("a forgotten password", () => {
  test("is set anew with the link from an e-mail, which ends all sessions and works once", async () => {
    expect((await forgotten(" Ada@harbour.example ")).body).toEqual({ status: true });
    const token = await mailed();
    expect(world.mail.received[0]).toMatchObject({ to: [email], subject: "A new password for Parley" });
    expect((await look(token)).body.email).toBe(email);
    expect((await reset(token)).status).toBe(200);
    expect((await world.request("/api/v1/auths/", { as: ada })).status).toBe(401);
    expect(world.live.revoked).toEqual([{ userId: ada.id, reason: "password_changed", sessionId: undefined }]);
    expect((await signIn(password)).status).toBe(400);
    expect((await signIn("new horse")).status).toBe(200);
    expect((await reset(token, "third horse")).status).toBe(404);
    expect(await actions()).toEqual(["user.password_forgotten", "user.password_reset"]);
  });

  test("is answered the same for addresses without an account, with the same work, and no e-mail", async () => {
    await world.person({ email: "sso@harbour.example" });
    await world.person({ email: "off@harbour.example", password, active: false });
    const answers = [];
    for (const address of [email, "nobody@harbour.example", "sso@harbour.example", "off@harbour.example"]) {
      world.roundTrips.reset();
      const { status, body } = await forgotten(address);
      answers.push({ status, body, trips: world.roundTrips.count });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { status: true } });
    await world.sendMail();
    expect(world.mail.received.map(({ to }) => to)).toEqual([[email]]);
    expect(await actions()).toEqual(["user.password_forgotten"]);
  });

  test("fills no mailbox: three e-mails in an hour", async () => {
    for (let number = 0; number < 5; number++) expect((await forgotten(email)).status).toBe(200);
    await world.sendMail();
    expect(world.mail.received).toHaveLength(3);
    world.advance(3601);
    await forgotten(email);
    await world.sendMail();
    expect(world.mail.received).toHaveLength(4);
  });

  test("is limited for a network, whatever the addresses", async () => {
    const from = { "cf-connecting-ip": "192.0.2.7" };
    const statuses = [];
    for (let number = 0; number < 22; number++)
      statuses.push((await forgotten(`a${number}@harbour.example`, from)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect((await forgotten(email, { "cf-connecting-ip": "198.51.100.7" })).status).toBe(200);
  });

  test("needs a mail server and passwords", async () => {
    await world.close();
    world = await createMailWorld({ SMTP_HOST: "" });
    expect((await forgotten(email)).status).toBe(409);
    const { body } = await world.call<{ features: Record<string, boolean> }>("/api/config");
    expect(body.features["enable_password_reset"]).toBe(false);
    await world.close();
    world = await createMailWorld({
      ENABLE_PASSWORD_AUTH: "false",
      OPENID_PROVIDER_URL: "https://op.example",
      OAUTH_CLIENT_ID: "parley",
      OAUTH_CLIENT_SECRET: "secret",
    });
    expect((await forgotten(email)).status).toBe(403);
  });
});

describe("a link", () => {
  test("that an administrator made sets the password once, of two uses at the same moment too", async () => {
    const token = await linkFor(ada.id);
    const answers = await Promise.all([reset(token, "first horse"), reset(token, "second horse")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const signedIn = await Promise.all(["first horse", "second horse"].map(signIn));
    expect(signedIn.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await actions()).toEqual(["user.reset_link_created", "user.password_reset"]);
  });

  test("gives a password to an account that has none, and is stored as a hash", async () => {
    const bo = await world.person();
    const token = await linkFor(bo.id);
    const stored = JSON.stringify([
      (await world.client.execute("SELECT * FROM password_resets")).rows,
      (await world.client.execute("SELECT * FROM audit_events")).rows,
    ]);
    expect(stored).not.toContain(token);
    expect((await reset(token)).status).toBe(200);
  });

  test("ends after a day, with another password, and with its administrator", async () => {
    const late = await linkFor(ada.id);
    world.advance(24 * 3600 + 1);
    expect((await reset(late)).status).toBe(404);
    const changed = await linkFor(ada.id);
    await world.call("/api/v1/auths/update/password", { json: { password, new_password: "other horse" }, as: ada });
    expect((await reset(changed)).status).toBe(404);
    const set = await linkFor(ada.id);
    await world.call(`/api/v1/users/${ada.id}/update`, { json: { password: "third horse" }, as: admin });
    expect((await reset(set)).status).toBe(404);
    const other = await world.person({ role: "admin" });
    const theirs = await linkFor(ada.id, other);
    await world.client.execute({ sql: "UPDATE users SET role = 'user' WHERE id = ?", args: [other.id] });
    expect((await look(theirs)).status).toBe(404);
    expect((await reset(theirs)).status).toBe(404);
  });

  test("refuses a password that cannot be one, and stays", async () => {
    const token = await linkFor(ada.id);
    expect(await reset(token, "")).toMatchObject({ status: 400, body: { code: "invalid_password" } });
    expect((await reset(token)).status).toBe(200);
  });

  test("is made by system administrators only, and not for the first one, a service account or nobody", async () => {
    const other = await world.person({ role: "admin" });
    expect((await makeLink(admin.id, other)).status).toBe(403);
    expect((await makeLink(ada.id, ada)).status).toBe(403);
    expect((await makeLink("nobody")).status).toBe(404);
    const service = await world.call<{ id: string }>("/api/v1/users/service_accounts", {
      json: { name: "Bot" },
      as: admin,
    });
    expect((await makeLink(service.body.id)).status).toBe(422);
  });

  test.each(["", "x", "a".repeat(300), "\ud800"])("with the token %j opens nothing", async (token) => {
    expect([400, 404, 422]).toContain((await reset(token)).status);
  });
});
