import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type Person, type World } from "../../world.ts";

const email = "ada@harbour.example";
const password = "correct horse";

let world: World;
let ada: Person;
beforeEach(async () => {
  world = await createWorld();
  ada = await world.person({ email, password });
});
afterEach(() => world.close());

interface Answer {
  code: string;
  detail: string;
}

/** Without sign-ins. */
const actions = async () =>
  (await world.client.execute("SELECT action FROM audit_events WHERE action NOT LIKE 'auth.%' ORDER BY id")).rows.map(
    (row) => row.action,
  );

describe("changing one's password", () => {
  const change = (current: string, next: string, as: Person = ada) =>
    world.call<Answer>("/api/v1/auths/update/password", { json: { password: current, new_password: next }, as });
  const signIn = (given: string) =>
    world.call<{ token: string }>("/api/v1/auths/signin", { json: { email, password: given } });

  test("ends all other sessions, keeps this one, and only the new one signs in", async () => {
    const other = (await signIn(password)).body.token;
    expect(await change(password, "new horse")).toMatchObject({ status: 200, body: true });
    expect((await world.request("/api/v1/auths/", { as: ada })).status).toBe(200);
    expect((await world.request("/api/v1/auths/", { as: other })).status).toBe(401);
    const claims = JSON.parse(atob(other.split(".")[1]!)) as { jti: string };
    expect(world.live.revoked).toEqual([{ userId: ada.id, reason: "password_changed", sessionId: claims.jti }]);
    expect((await signIn(password)).status).toBe(400);
    expect((await signIn("new horse")).status).toBe(200);
    expect(await actions()).toEqual(["user.password_changed"]);
  });

  test.each([
    ["wrong", "new horse", "incorrect_password"],
    ["", "new horse", "incorrect_password"],
    [password, "", "invalid_password"],
    [password, "x".repeat(1025), "invalid_password"],
  ])("with %j to %j is refused and changes nothing", async (current, next, code) => {
    expect(await change(current, next)).toMatchObject({ status: 400, body: { code } });
    expect(await actions()).toEqual([]);
    expect((await signIn(password)).status).toBe(200);
  });

  test("slows down who guesses at an open browser, and not the owner", async () => {
    const answers = [];
    for (let index = 0; index < 7; index++) answers.push((await change(`wrong ${index}`, "new horse")).status);
    expect(answers).toEqual([400, 400, 400, 400, 400, 429, 429]);
    expect((await change(password, "new horse")).status).toBe(200);
  });

  test("from two places at the same moment lets one win and leaves one session", async () => {
    const other = { ...ada, token: (await signIn(password)).body.token };
    const answers = await Promise.all([change(password, "first"), change(password, "second", other)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
    expect((await world.client.execute("SELECT count(*) AS n FROM sessions")).rows[0]!.n).toBe(1);
  });

  test("is not there for accounts without one", async () => {
    expect(await change("", "new horse", await world.person())).toMatchObject({
      status: 400,
      body: { code: "incorrect_password" },
    });
  });
});

describe("one's profile", () => {
  const change = (json: Record<string, unknown>) =>
    world.call<Answer>("/api/v1/auths/update/profile", { json, as: ada });

  test("changes in what is named", async () => {
    const first = await change({
      name: " Ada L ",
      profile_image_url: "/user.png",
      bio: "First",
      gender: "f",
      date_of_birth: "1815-12-10",
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        id: ada.id,
        email,
        role: "user",
        name: "Ada L",
        bio: "First",
        gender: "f",
        date_of_birth: "1815-12-10",
        profile_image_url: `/api/v1/users/${ada.id}/profile/image`,
      },
    });
    expect((await change({ bio: "" })).body).toMatchObject({ name: "Ada L", bio: null, gender: "f" });
    expect((await world.call("/api/v1/auths/", { as: ada })).body).toMatchObject({
      name: "Ada L",
      bio: null,
      gender: "f",
      date_of_birth: "1815-12-10",
    });
    await change({});
    expect(await actions()).toEqual(["user.profile_updated", "user.profile_updated"]);
  });

  test.each([
    { name: "" },
    { name: "\u0007" },
    { date_of_birth: "1815-02-30" },
    { date_of_birth: "yesterday" },
    { bio: 5 },
    { profile_image_url: "javascript:alert(1)" },
  ])("refuses %j with 422", async (json) => {
    expect((await change(json)).status).toBe(422);
  });

  test("cannot change what is not one's own to change", async () => {
    await change({ role: "admin", email: "other@harbour.example", id: "x" });
    expect((await world.call("/api/v1/auths/", { as: ada })).body).toMatchObject({ id: ada.id, role: "user", email });
  });

  test("holds the time zone", async () => {
    expect(
      (await world.call("/api/v1/auths/update/timezone", { json: { timezone: "Europe/Berlin" }, as: ada })).body,
    ).toEqual({ status: true });
    expect((await world.call("/api/v1/auths/", { as: ada })).body).toMatchObject({ timezone: "Europe/Berlin" });
    expect(
      (await world.call("/api/v1/auths/update/timezone", { json: { timezone: "Moon/Base" }, as: ada })).status,
    ).toBe(422);
  });
});

describe("making an account for somebody", () => {
  const add = async (json: Record<string, unknown>, as?: Person) =>
    world.call<Answer & { id: string; token: string }>("/api/v1/auths/add", {
      json: { name: "Bob", email: "Bob@Harbour.Example", password: "pw", ...json },
      as: as ?? (await world.admin()),
    });

  test("answers its token, sets no cookie, and leaves the administrator signed in", async () => {
    const { status, headers, body } = await add({ role: "user" });
    expect(status).toBe(200);
    expect(headers.getSetCookie()).toEqual([]);
    expect(body).toEqual({
      token: body.token,
      token_type: "Bearer",
      id: body.id,
      name: "Bob",
      email: "bob@harbour.example",
      role: "user",
      profile_image_url: `/api/v1/users/${body.id}/profile/image`,
    });
    expect((await world.call("/api/v1/auths/", { as: body.token })).body).toMatchObject({ id: body.id, role: "user" });
    expect(await actions()).toEqual(["user.created"]);
  });

  test("gives the role pending unless another is named, whatever the sign-up switch says", async () => {
    await world.client.execute(`INSERT INTO settings VALUES ('ENABLE_SIGNUP', 'false', 0)`);
    expect((await add({})).body).toMatchObject({ role: "pending" });
    expect((await add({ email: "c@harbour.example", role: "admin" })).body).toMatchObject({ role: "admin" });
  });

  test.each([
    [{ email: "ADA@harbour.example" }, 400, "email_taken"],
    [{ email: "bob" }, 400, "invalid_email"],
    [{ password: "" }, 400, "invalid_password"],
    [{ role: "owner" }, 422, "validation_failed"],
    [{ name: undefined }, 422, "validation_failed"],
  ])("refuses %j with %d %s", async (json, status, code) => {
    expect(await add(json)).toMatchObject({ status, body: { code } });
  });

  test("is for administrators, and needs a default organization that is on", async () => {
    expect((await add({}, ada)).status).toBe(403);
    await world.client.execute(
      "INSERT INTO organizations (id, name, active, is_default, model_ids, features, created_at, updated_at) VALUES ('other', 'Other', 1, 0, NULL, '{}', 0, 0)",
    );
    await world.client.execute("UPDATE users SET organization_id = 'other'");
    const admin = await world.person({ role: "admin", organizationId: "other" });
    await world.client.execute("UPDATE organizations SET active = 0 WHERE is_default = 1");
    expect(await add({}, admin)).toMatchObject({ status: 403, body: { code: "organization_inactive" } });
  });
});

describe("whom to ask", () => {
  const ask = async () => world.call("/api/v1/auths/admin/details", { as: await world.person({ role: "pending" }) });
  const set = (name: string, value: unknown) =>
    world.client.execute({
      sql: "INSERT OR REPLACE INTO settings VALUES (?, ?, 0)",
      args: [name, JSON.stringify(value)],
    });

  test("is the first administrator, or the address that is set", async () => {
    await world.admin();
    expect((await ask()).body).toEqual({ name: "Grace", email: "grace@harbour.example" });
    await set("ADMIN_EMAIL", "help@harbour.example");
    expect((await ask()).body).toEqual({ name: "", email: "help@harbour.example" });
    await set("ADMIN_EMAIL", "Ada@harbour.example");
    expect((await ask()).body).toEqual({ name: "Ada", email: "Ada@harbour.example" });
  });

  test("is not told when that is switched off", async () => {
    await set("SHOW_ADMIN_DETAILS", false);
    expect((await ask()).status).toBe(403);
  });
});
