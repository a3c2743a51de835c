import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "../../world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const signUp = (email: string, more: Record<string, unknown> = {}) =>
  world.call<{ id: string; role: string; token: string; code: string }>("/api/v1/auths/signup", {
    json: { name: "Ada", email, password: "correct horse", ...more },
  });

const count = async (table: string) =>
  Number((await world.client.execute(`SELECT count(*) AS n FROM ${table}`)).rows[0]!.n);

describe("signing up", () => {
  test("makes the first person administrator and later ones wait", async () => {
    const first = await signUp("Ada@Harbour.Example ");
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      email: "ada@harbour.example",
      name: "Ada",
      role: "admin",
      token_type: "Bearer",
      permissions: { workspace: { models: true } },
    });
    expect(first.body).toMatchObject({ profile_image_url: `/api/v1/users/${first.body.id}/profile/image` });
    const second = await signUp("bob@harbour.example");
    expect(second.body).toMatchObject({ role: "pending", permissions: { workspace: { models: false } } });
  });

  test("gives later people the role that is set", async () => {
    await world.close();
    world = await createWorld({ environment: { DEFAULT_USER_ROLE: "user" } });
    await signUp("ada@harbour.example");
    expect((await signUp("bob@harbour.example")).body.role).toBe("user");
  });

  test("ten at the same moment give ten accounts and exactly one administrator", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => signUp(`p${index}@harbour.example`)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(answers.filter((answer) => answer.body.role === "admin")).toHaveLength(1);
    expect([
      await count("users"),
      await count("passwords"),
      await count("sessions"),
      await count("audit_events"),
    ]).toEqual([10, 10, 10, 10]);
    const { rows } = await world.client.execute("SELECT count(*) AS n FROM users WHERE role = 'admin'");
    expect(rows[0]!.n).toBe(1);
  });

  test("with one address at the same moment gives one account, and a clear refusal for the others", async () => {
    const spellings = ["ada@harbour.example", "ADA@harbour.example", "Ada@Harbour.Example", " ada@harbour.EXAMPLE"];
    const answers = await Promise.all(spellings.map((email) => signUp(email)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.code === "email_taken")).toHaveLength(3);
    expect([await count("users"), await count("passwords"), await count("sessions")]).toEqual([1, 1, 1]);
  });

  test("keeps the switch: off refuses strangers, but never the very first person", async () => {
    await world.close();
    world = await createWorld({ environment: { ENABLE_SIGNUP: "false" } });
    expect((await signUp("ada@harbour.example")).body.role).toBe("admin");
    expect(await signUp("bob@harbour.example")).toMatchObject({ status: 403, body: { code: "signup_disabled" } });
  });

  test("makes an administrator of whoever comes first after people from the identity provider", async () => {
    await world.close();
    const token = "a-token-for-provisioning-0123456789";
    world = await createWorld({ environment: { SCIM_ENABLED: "true", SCIM_TOKEN: token, ENABLE_SIGNUP: "false" } });
    const made = await world.request("/api/v1/scim/v2/Users", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
      body: JSON.stringify({ userName: "ada@harbour.example" }),
    });
    expect(made.status).toBe(201);
    expect((await signUp("bob@harbour.example")).body.role).toBe("admin");
    expect(await signUp("eve@harbour.example")).toMatchObject({ status: 403, body: { code: "signup_disabled" } });
  });

  test("of two first people at the same moment with the switch off, one gets in", async () => {
    await world.close();
    world = await createWorld({ environment: { ENABLE_SIGNUP: "false" } });
    const answers = await Promise.all([signUp("ada@harbour.example"), signUp("bob@harbour.example")]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 403]);
    expect([
      await count("users"),
      await count("passwords"),
      await count("sessions"),
      await count("audit_events"),
    ]).toEqual([1, 1, 1, 1]);
  });

  test("does not switch itself off after the first person", async () => {
    await signUp("ada@harbour.example");
    expect((await signUp("bob@harbour.example")).status).toBe(200);
  });

  test("is refused while the default organization is switched off, without a half-made account", async () => {
    await world.db.run(sql`UPDATE organizations SET active = 0`);
    expect(await signUp("ada@harbour.example")).toMatchObject({ status: 403, body: { code: "organization_inactive" } });
    expect(await count("users")).toBe(0);
  });

  test.each([
    "",
    "ada",
    "ada@",
    "@harbour.example",
    "a b@harbour.example",
    "ada@harbour",
    "ada@@harbour.example",
    "a..b@harbour.example",
    "ada@-harbour.example",
  ])("refuses the address %j", async (email) => {
    expect(await signUp(email)).toMatchObject({ status: 400, body: { code: "invalid_email" } });
  });

  test.each([
    ["", "empty"],
    ["x".repeat(1025), "longer than 1024 bytes"],
    ["\u{1F600}".repeat(257), "longer in bytes than in characters"],
  ])("refuses a password that is %#: %s", async (password) => {
    expect(await signUp("ada@harbour.example", { password })).toMatchObject({
      status: 400,
      body: { code: "invalid_password" },
    });
  });

  test("takes a long password whole: nothing behind a 72nd byte is cut off", async () => {
    const password = "x".repeat(100);
    await signUp("ada@harbour.example", { password });
    const wrong = await world.call("/api/v1/auths/signin", {
      json: { email: "ada@harbour.example", password: `${"x".repeat(99)}y` },
    });
    expect(wrong.status).toBe(400);
  });

  test.each([{ email: 5 }, { password: null }, { name: "" }, { name: "two\nlines" }, { profile_image_url: {} }])(
    "refuses the wrong kind of value %j with 422 and names the field",
    async (more) => {
      const { status, body } = await world.call<{ issues: { path: string }[] }>("/api/v1/auths/signup", {
        json: { name: "Ada", email: "ada@harbour.example", password: "x", ...more },
      });
      expect(status).toBe(422);
      expect(body.issues[0]!.path).toBe(Object.keys(more)[0]);
    },
  );

  test("sets an HttpOnly cookie that signs the browser in", async () => {
    const response = await world.request("/api/v1/auths/signup", {
      json: { name: "Ada", email: "ada@harbour.example", password: "correct horse" },
    });
    const cookie = response.headers.getSetCookie().find((value) => value.startsWith("token="))!;
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Expires=/);
    expect(cookie).not.toContain("Secure");
    const token = /^token=([^;]+)/.exec(cookie)![1]!;
    expect((await world.request("/api/v1/auths/", { cookie: token })).status).toBe(200);
  });

  test("marks the cookie Secure when the public address is https", async () => {
    await world.close();
    world = await createWorld({ environment: { WEBUI_URL: "https://parley.harbour.example" } });
    const response = await world.request("/api/v1/auths/signup", {
      json: { name: "Ada", email: "ada@harbour.example", password: "correct horse" },
    });
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(/; Secure$/);
  });

  test.each([
    [{ PUBLIC_ORIGIN_HEADER: "x-origin" }, true],
    [{}, false],
  ])("believes where it is reached by only from the header that is set (%j)", async (environment, isSecure) => {
    await world.close();
    world = await createWorld({ environment });
    const send = (origin: string) =>
      world.request("/api/v1/auths/signup", {
        headers: { "x-origin": "https://chat.harbour.example", origin },
        json: { name: "Ada", email: `${isSecure}@${new URL(origin).host}`, password: "correct horse" },
      });
    const cookies = (await send("https://chat.harbour.example")).headers.getSetCookie();
    expect(cookies.length > 0 && cookies.every((cookie) => cookie.endsWith("; Secure"))).toBe(isSecure);
    expect((await send("https://evil.example")).headers.getSetCookie()).toEqual([]);
  });

  describe("behind a proxy", () => {
    const headers = { host: "127.0.0.1:8080", "x-peer": "127.0.0.1" };
    const environment = { CLIENT_ADDRESS_HEADER: "x-peer", PUBLIC_ORIGIN_HEADER: "x-origin" };
    async function enter(more: Record<string, string>, settings: Record<string, string> = {}) {
      await world.close();
      world = await createWorld({ environment: { ...environment, ...settings } });
      const answer = await world.call<{ cookie_problem?: string }>("/api/v1/auths/signup", {
        headers: { ...headers, ...more },
        json: { name: "Ada", email: "ada@harbour.example", password: "correct horse" },
      });
      return {
        hasCookie: answer.headers.getSetCookie().length > 0,
        problem: answer.body.cookie_problem,
        logged: world.logged.map(({ message }) => message),
      };
    }

    test("that keeps no Host, the browser's own word is enough", async () => {
      const same = { origin: "https://chat.example", "sec-fetch-site": "same-origin" };
      expect(await enter(same, { WEBUI_URL: "https://chat.example" })).toEqual({ hasCookie: true, logged: [] });
      expect(await enter(same)).toMatchObject({
        hasCookie: true,
        logged: [expect.stringMatching(/people use https.*X-Forwarded-Proto.*WEBUI_URL=https:\/\/chat\.example/)],
      });
    });

    test.each<[string, Record<string, string>, RegExp]>([
      [
        "keeps no Host",
        {},
        /does not pass the Host header on: .*http:\/\/chat\.example.*127\.0\.0\.1:8080.*proxy_set_header/,
      ],
      [
        "is not trusted",
        { "x-forwarded-host": "chat.example" },
        /127\.0\.0\.1 says in X-Forwarded-Host.*TRUSTED_PROXIES=loopback/,
      ],
    ])("that %s, page and log name what is missing", async (_, more, message) => {
      const entered = await enter({ origin: "http://chat.example", ...more });
      expect(entered).toEqual({
        hasCookie: false,
        problem: expect.stringMatching(message),
        logged: [entered.problem],
      });
    });

    test("each cause is logged once, also where a cookie asks", async () => {
      await enter({ origin: "http://chat.example" });
      const cookie = await world.person();
      const again = () =>
        world.call("/api/v1/auths/update/profile", {
          cookie,
          json: { name: "Ada" },
          headers: { ...headers, origin: "http://chat.example" },
        });
      await again();
      expect((await again()).body).toMatchObject({ code: "origin_not_allowed", detail: world.logged[0]!.message });
      expect(world.logged).toHaveLength(1);
    });

    test("a page that is opened over http is told that the cookies are for https", async () => {
      const entered = await enter(
        { origin: "http://chat.example", host: "chat.example" },
        { WEBUI_URL: "https://chat.example" },
      );
      expect(entered.problem).toMatch(/Open https:\/\/chat\.example instead/);
    });
  });

  test("gives no cookie to a page of another origin", async () => {
    const response = await world.request("/api/v1/auths/signup", {
      headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      json: { name: "Ada", email: "ada@harbour.example", password: "correct horse" },
    });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("never stores or answers the password", async () => {
    const { body } = await signUp("ada@harbour.example");
    expect(JSON.stringify(body)).not.toContain("correct horse");
    for (const table of ["users", "passwords", "audit_events", "sessions"]) {
      expect(JSON.stringify((await world.client.execute(`SELECT * FROM ${table}`)).rows)).not.toContain(
        "correct horse",
      );
    }
    const { rows } = await world.client.execute("SELECT hash FROM passwords");
    expect(rows[0]!.hash).toMatch(/^\$scrypt\$ln=\d+,r=8,p=\d\$/);
  });

  test("needs three round trips", async () => {
    world.roundTrips.reset();
    await signUp("ada@harbour.example");
    expect(world.roundTrips.count).toBe(3);
  });
});
