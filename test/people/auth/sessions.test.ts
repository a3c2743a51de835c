import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sweepIdentity } from "../../../src/people/sweep-identity.ts";
import { createWorld, origin, type Person, type World } from "../../world.ts";

let world: World;
let ada: Person;
beforeEach(async () => {
  world = await createWorld();
  ada = await world.person({ email: "ada@harbour.example", password: "correct horse" });
});
afterEach(() => world.close());

interface Session {
  id: string;
  current: boolean;
  user_agent: string;
}

const signIn = async (agent = "Browser") =>
  (
    await world.call<{ token: string }>("/api/v1/auths/signin", {
      json: { email: ada.email, password: "correct horse" },
      headers: { "user-agent": agent },
    })
  ).body.token;
const list = async (as: Person | string = ada) =>
  (await world.call<{ sessions: Session[] }>("/api/v1/auths/sessions", { as })).body.sessions;
const status = async (token: string) => (await world.request("/api/v1/auths/", { as: token })).status;

describe("GET /api/v1/auths/", () => {
  test("says who is signed in", async () => {
    const { status: code, body } = await world.call("/api/v1/auths/", { as: ada });
    expect(code).toBe(200);
    expect(body).toMatchObject({
      token: ada.token,
      token_type: "Bearer",
      expires_at: null,
      id: ada.id,
      email: ada.email,
      name: "Ada",
      role: "user",
      permissions: { chat: { edit: true } },
      bio: null,
      gender: null,
      date_of_birth: null,
      status_emoji: null,
      status_message: null,
      status_expires_at: null,
    });
  });

  test("refreshes the cookie, and is open to people who wait", async () => {
    const waiting = await world.person({ role: "pending" });
    const response = await world.request("/api/v1/auths/", { cookie: waiting });
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toBe(`token=${waiting.token}; Path=/; HttpOnly; SameSite=Lax`);
  });

  test("gives back an API key and makes no cookie of it", async () => {
    await world.client.execute(`INSERT INTO settings VALUES ('ENABLE_API_KEYS', 'true', 0)`);
    await world.client.execute(
      `INSERT INTO settings VALUES ('permissions.default', '{"features":{"api_keys":true}}', 0)`,
    );
    await world.client.execute({
      sql: "INSERT INTO api_keys (id, user_id, name, hash, created_at) VALUES ('k', ?, 'bot', ?, 0)",
      args: [ada.id, await sha256("sk-abc")],
    });
    for (const headers of [{ authorization: "Bearer sk-abc" }, { "x-api-key": "sk-abc" }]) {
      const response = await world.request("/api/v1/auths/", { headers: headers as Record<string, string> });
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(await response.json()).toMatchObject({ token: "sk-abc", expires_at: null, id: ada.id });
    }
  });

  test("takes two round trips", async () => {
    world.roundTrips.reset();
    await status(ada.token);
    expect(world.roundTrips.count).toBe(2);
  });
});

describe("a token", () => {
  test("ends with its session row", async () => {
    await world.client.execute("DELETE FROM sessions");
    expect(await status(ada.token)).toBe(401);
  });

  test("ends when its time is over, even before its own expiry is looked at", async () => {
    const token = await signIn();
    expect(await status(token)).toBe(200);
    world.advance(4 * 604_800 + 1);
    expect(await status(token)).toBe(401);
  });

  test("works for nobody else: the row has to be the same person's", async () => {
    const bob = await world.person();
    const forged = await world.services.tokens.sign({ id: bob.id, jti: ada.sessionId, iat: 0 }, null);
    expect(await status(forged)).toBe(401);
  });

  test.each(["", "x", "a.b.c", "eyJhbGciOiJub25lIn0.eyJpZCI6IngiLCJqdGkiOiJ5In0."])(
    "like %j is none",
    async (token) => {
      expect(await status(token)).toBe(401);
    },
  );

  test("counts before a cookie, which may be stale", async () => {
    const response = await world.request("/api/v1/auths/", { as: ada, headers: { cookie: "token=stale" } });
    expect(response.status).toBe(200);
  });

  test("is looked for behind a proxy's own Authorization too", async () => {
    const basic = { authorization: "Basic cHJveHk6cHc=" };
    expect(
      (await world.request("/api/v1/auths/", { headers: { ...basic, cookie: `token=${ada.token}` } })).status,
    ).toBe(200);
    expect((await world.request("/api/v1/auths/", { headers: { ...basic, "x-api-key": ada.token } })).status).toBe(200);
    expect((await world.request("/api/v1/auths/", { headers: basic })).status).toBe(401);
    expect(
      (await world.request("/api/v1/auths/", { headers: { authorization: "Bearer", cookie: `token=${ada.token}` } }))
        .status,
    ).toBe(401);
  });
});

describe("a cookie", () => {
  const rename = (headers: Record<string, string>) =>
    world.request("/api/v1/auths/update/profile", { cookie: ada, json: { name: "Ada" }, headers });

  test.each([
    {},
    { origin },
    { origin, "sec-fetch-site": "same-origin" },
    // A proxy kept no Host; the browser compares the addresses itself.
    { origin: "https://chat.example", "sec-fetch-site": "same-origin" },
  ])("writes from the service's own pages (%j)", async (headers) => {
    expect((await rename(headers as Record<string, string>)).status).toBe(200);
  });

  test.each([
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "null" },
    { origin: "https://evil.example", "sec-fetch-site": "none" },
    { origin, "sec-fetch-site": "cross-site" },
    { origin: "https://evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
  ])("does not write from elsewhere (%j)", async (headers) => {
    const response = await rename(headers as Record<string, string>);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "origin_not_allowed" });
  });

  test("is not needed for a token, which works from anywhere", async () => {
    const response = await world.request("/api/v1/auths/update/profile", {
      as: ada,
      json: { name: "Ada" },
      headers: { origin: "https://elsewhere.example" },
    });
    expect(response.status).toBe(200);
  });
});

describe("one's sessions", () => {
  test("are listed with the one that asks marked, and nobody else's", async () => {
    await world.person();
    const token = await signIn("Phone");
    const sessions = await list(token);
    expect(sessions).toHaveLength(2);
    expect(sessions.find((session) => session.current)).toMatchObject({ user_agent: "Phone" });
    expect(sessions.find((session) => !session.current)).toMatchObject({ id: ada.sessionId, expires_at: null });
  });

  test("are not listed once they have run out", async () => {
    await signIn();
    world.advance(4 * 604_800 + 1);
    expect((await list()).map((session) => session.id)).toEqual([ada.sessionId]);
  });

  test("end one by one, at the next request", async () => {
    const token = await signIn();
    const other = (await list()).find((session) => !session.current)!;
    const end = () => world.request(`/api/v1/auths/sessions/${other.id}`, { method: "DELETE", as: ada });
    const response = await end();
    expect([response.status, response.headers.get("set-cookie")]).toEqual([200, null]);
    expect(await status(token)).toBe(401);
    expect(world.live.revoked).toEqual([{ userId: ada.id, reason: "session_ended", sessionId: other.id }]);
    expect((await end()).status).toBe(404);
  });

  test("end with the current one too, whose cookie goes", async () => {
    const response = await world.request(`/api/v1/auths/sessions/${ada.sessionId}`, { method: "DELETE", cookie: ada });
    expect(response.headers.get("set-cookie")).toContain("token=; ");
    expect(await status(ada.token)).toBe(401);
  });

  test("of others are unknown here", async () => {
    const bob = await world.person();
    expect((await world.request(`/api/v1/auths/sessions/${bob.sessionId}`, { method: "DELETE", as: ada })).status).toBe(
      404,
    );
    expect(await status(bob.token)).toBe(200);
  });

  test("end all but the current one at once", async () => {
    const tokens = [await signIn(), await signIn()];
    const bob = await world.person();
    expect((await world.call("/api/v1/auths/sessions", { method: "DELETE", as: tokens[0]! })).body).toEqual({
      status: true,
      ended: 2,
    });
    expect(await Promise.all([ada.token, ...tokens, bob.token].map(status))).toEqual([401, 200, 401, 200]);
    expect(world.live.revoked).toHaveLength(2);
  });

  test("note their use at most once a minute, and after the answer", async () => {
    const lastUsed = async () =>
      Number(
        (await world.client.execute({ sql: "SELECT last_used_at FROM sessions WHERE id = ?", args: [ada.sessionId] }))
          .rows[0]!.last_used_at,
      );
    const before = await lastUsed();
    // Whole seconds short of a minute: the clock goes on while this runs.
    world.advance(45);
    await status(ada.token);
    await world.settled();
    expect(await lastUsed()).toBe(before);
    world.advance(16);
    await status(ada.token);
    await world.settled();
    expect(await lastUsed()).toBeGreaterThanOrEqual(before + 61);
  });
});

describe("signing out", () => {
  const signOut = (options: Parameters<World["request"]>[1] = {}) =>
    world.request("/api/v1/auths/signout", { method: "POST", ...options });

  test("ends the session, deletes the cookie and closes sockets", async () => {
    const response = await signOut({ cookie: ada });
    expect([response.status, await response.json()]).toEqual([200, { status: true }]);
    expect(response.headers.get("set-cookie")).toBe("token=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    expect(await status(ada.token)).toBe(401);
    expect(world.live.revoked).toEqual([{ userId: ada.id, reason: "signed_out", sessionId: ada.sessionId }]);
  });

  test("ends both the token's and the cookie's session where both come along", async () => {
    const other = await signIn();
    await signOut({ as: other, cookie: ada });
    expect(await Promise.all([status(other), status(ada.token)])).toEqual([401, 401]);
  });

  test("needs nobody signed in", async () => {
    expect((await signOut()).status).toBe(200);
    expect((await signOut({ as: "nonsense" })).status).toBe(200);
    expect((await signOut({ as: "sk-nonsense" })).status).toBe(200);
  });

  test("ends the session of somebody switched off too", async () => {
    await world.client.execute("UPDATE users SET active = 0");
    await signOut({ as: ada });
    expect((await world.client.execute("SELECT * FROM sessions")).rows).toEqual([]);
  });

  test("cannot be forced by a page of another origin", async () => {
    expect((await signOut({ cookie: ada, headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect(await status(ada.token)).toBe(200);
  });
});

test("the sweep deletes what has run out and nothing else", async () => {
  await signIn();
  await world.call("/api/v1/auths/signin", { json: { email: ada.email, password: "wrong" } });
  const counts = async () =>
    (
      await world.client.execute(
        "SELECT (SELECT count(*) FROM sessions) AS s, (SELECT count(*) FROM sign_in_failures) AS f",
      )
    ).rows.map(({ s, f }) => [s, f])[0];
  await sweepIdentity(world.services);
  expect(await counts()).toEqual([2, 1]);
  world.advance(5 * 604_800);
  await sweepIdentity(world.services);
  expect(await counts()).toEqual([1, 0]);
  expect(world.live.rechecked).toEqual([ada.id]);
});

async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");
}
