import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { passwordCostOf } from "../../../src/people/auth/passwords/cost.ts";
import { maxInShare } from "../../../src/people/auth/passwords/hash-line.ts";
import { sweepIdentity } from "../../../src/people/sweep-identity.ts";
import { createWorld, type World } from "../../world.ts";

const email = "ada@harbour.example";
const password = "correct horse";

let world: World;
beforeEach(async () => {
  world = await createWorld();
  await world.person({ email, password, role: "admin" });
});
afterEach(() => world.close());

interface Problem {
  code: string;
  detail: string;
}

const signIn = (given: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  world.call<Problem & { token: string; expires_at: number | null }>("/api/v1/auths/signin", {
    json: { email, password, ...given },
    headers,
  });

/** The cookie of a browser in which the person has signed in. */
const deviceOf = async (address = email) => {
  const response = await world.request("/api/v1/auths/signin", { json: { email: address, password } });
  return /^device=[^;]+/.exec(response.headers.getSetCookie().find((value) => value.startsWith("device="))!)![0];
};

/** The world with hashes that cost what they do in earnest. */
const costly = async () => {
  world.services.passwordCost = passwordCostOf();
  await signIn();
};

describe("signing in", () => {
  test.each([email, "ADA@Harbour.Example", `  ${email} `])("finds the one account behind %j", async (address) => {
    expect(await signIn({ email: address })).toMatchObject({
      status: 200,
      body: { email, role: "admin", token_type: "Bearer" },
    });
  });

  test("answers an unknown address just as a wrong password", async () => {
    const wrong = await signIn({ password: "wrong" });
    const unknown = await signIn({ email: "nobody@harbour.example" });
    expect(wrong).toMatchObject({
      status: 400,
      body: { code: "invalid_credentials", detail: "Wrong e-mail or password." },
    });
    expect({ ...unknown.body, request_id: "" }).toEqual({ ...wrong.body, request_id: "" });
  });

  test("checks a hash for an unknown address too, so that time tells nothing", async () => {
    const duration = async (given: Record<string, unknown>) => {
      const start = performance.now();
      await signIn(given);
      return performance.now() - start;
    };
    await costly();
    const known = await duration({ password: "wrong" });
    const unknown = await duration({ email: "nobody@harbour.example" });
    expect(unknown).toBeGreaterThan(known / 3);
  });

  test.each([
    ["", "correct horse", "invalid_email"],
    ["ada", "correct horse", "invalid_email"],
    [email, "", "invalid_password"],
    [email, "x".repeat(2000), "invalid_password"],
  ])("refuses %j with %j", async (address, given, code) => {
    expect(await signIn({ email: address, password: given })).toMatchObject({ status: 400, body: { code } });
  });

  test("treats the two spellings of an accented letter as one password", async () => {
    await world.signUp({ email: "zoe@harbour.example", password: "Zoe\u0308 1" });
    expect((await signIn({ email: "zoe@harbour.example", password: "Zo\u00eb 1" })).status).toBe(200);
  });

  test.each([
    ["90m", 5400],
    ["-1", null],
  ])("with JWT_EXPIRES_IN %s makes sessions of %s seconds", async (duration, seconds) => {
    await world.client.execute({
      sql: "INSERT INTO settings VALUES ('JWT_EXPIRES_IN', ?, 0)",
      args: [JSON.stringify(duration)],
    });
    const { body } = await signIn();
    const { exp, iat } = JSON.parse(atob(body.token.split(".")[1]!)) as { exp?: number; iat: number };
    expect(body.expires_at).toBe(seconds === null ? null : iat + seconds);
    expect(exp ?? null).toBe(body.expires_at);
    const { rows } = await world.client.execute("SELECT expires_at FROM sessions ORDER BY id DESC LIMIT 1");
    expect(rows[0]!.expires_at).toBe(body.expires_at);
  });

  test("refuses somebody switched off, and only once the password is right", async () => {
    await world.client.execute("UPDATE users SET active = 0");
    expect(await signIn({ password: "wrong" })).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
    expect(await signIn()).toMatchObject({ status: 401, body: { code: "account_inactive" } });
  });

  test("refuses people of an organization that is switched off", async () => {
    await world.client.execute("UPDATE organizations SET active = 0");
    expect(await signIn()).toMatchObject({ status: 403, body: { code: "organization_inactive" } });
  });

  test("hashes anew when the stored cost is no longer today's", async () => {
    const stored = async () => (await world.client.execute("SELECT hash FROM passwords")).rows[0]!.hash;
    expect(await stored()).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/);
    world.services.passwordCost = { ln: 5, r: 8, p: 2 };
    await signIn({ password: "wrong" });
    expect(await stored()).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/);
    expect((await signIn()).status).toBe(200);
    expect(await stored()).toMatch(/^\$scrypt\$ln=5,r=8,p=2\$/);
    expect((await signIn()).status).toBe(200);
  });

  test("needs three round trips, and a wrong password too", async () => {
    world.roundTrips.reset();
    await signIn();
    expect(world.roundTrips.count).toBe(3);
    world.roundTrips.reset();
    await signIn({ password: "wrong" });
    expect(world.roundTrips.count).toBe(3);
  });
});

describe("wrong passwords", () => {
  const guess = async (times: number, headers: Record<string, string> = {}) => {
    const answers = [];
    for (let index = 0; index < times; index++) answers.push(await signIn({ password: `wrong ${index}` }, headers));
    return answers;
  };

  test("are told so five times, with a warning, and slowed down from then on, ever longer", async () => {
    const answers = await guess(9);
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400, 429, 429, 429, 429]);
    expect(answers[2]!.body.detail).toBe("Wrong e-mail or password. Two more tries before a pause.");
    expect(answers.slice(5).map((answer) => answer.headers.get("retry-after"))).toEqual(["5", "10", "20", "40"]);
    expect(answers[5]!.body.code).toBe("too_many_requests");
  });

  test("do not keep the right one out", async () => {
    await guess(12);
    expect((await signIn()).status).toBe(200);
  });

  test("are counted for the address whatever its case", async () => {
    for (const address of [email, email.toUpperCase(), ` ${email}`, "Ada@harbour.example", email])
      await signIn({ email: address, password: "wrong" });
    expect((await signIn({ password: "wrong" })).status).toBe(429);
  });

  test("of one address are not those of another", async () => {
    await guess(6);
    expect((await signIn({ email: "bob@harbour.example" })).status).toBe(400);
  });

  test("are forgotten with time", async () => {
    await guess(6);
    world.advance(6 * 60);
    expect((await signIn({ password: "wrong" })).status).toBe(400);
  });

  test("are not looked at any more after a hundred, until a minute has passed", async () => {
    await spend(99);
    expect((await signIn({ password: "wrong" })).status).toBe(429);
    world.roundTrips.reset();
    const refused = await signIn();
    expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    expect(refused.headers.get("retry-after")).toBe("60");
    world.advance(61);
    expect((await signIn()).status).toBe(200);
  });

  test("of strangers cannot keep a person out of a browser that they use", async () => {
    const device = await deviceOf();
    await spend(100);
    expect((await signIn()).status).toBe(429);
    expect((await signIn({}, { cookie: device })).status).toBe(200);
  });

  test("in somebody else's known browser are counted as anybody's", async () => {
    await world.person({ email: "bob@harbour.example", password });
    const bobs = await deviceOf("bob@harbour.example");
    await spend(100);
    expect((await signIn({}, { cookie: bobs })).status).toBe(429);
  });

  test("with a forged device are counted as anybody's", async () => {
    await spend(100);
    expect((await signIn({}, { cookie: "device=v1.k1.AAAA.AAAA" })).status).toBe(429);
  });

  test("in a known browser are slowed down too", async () => {
    const device = await deviceOf();
    const answers = await guess(6, { cookie: device });
    expect(answers.at(-1)!.status).toBe(429);
  });

  test("of many guesses at the same moment are checked no more often than one after the other", async () => {
    await spend(95);
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn({ password: "wrong" })));
    const unchecked = answers.filter((answer) => answer.body.detail.startsWith("Too many wrong passwords"));
    expect(unchecked).toHaveLength(7);
  });

  test("are not what right ones are counted as", async () => {
    for (let index = 0; index < 6; index++) expect((await signIn()).status).toBe(200);
    const { rows } = await world.client.execute("SELECT level FROM sign_in_failures");
    expect(rows.map((row) => Number(row.level))).toEqual([0]);
  });

  describe("with the network of the client", () => {
    const from = (address: string) => ({ "cf-connecting-ip": address });
    /** As if strangers in many networks had just given so many wrong passwords. */
    const attack = async (level: number) => {
      await signIn({ password: "wrong" }, from("203.0.113.9"));
      await world.client.execute({
        sql: "UPDATE sign_in_failures SET level = ?, updated_at = ? WHERE length(bucket) = 64",
        args: [level, world.services.now()],
      });
    };
    const levels = async () =>
      (await world.client.execute("SELECT level FROM sign_in_failures ORDER BY length(bucket)")).rows.map(({ level }) =>
        // Without what leaked meanwhile.
        Math.ceil(Number(level)),
      );

    test("of one network cannot exhaust the account's own hundred", async () => {
      const answers = await guess(30, from("203.0.113.9"));
      expect(answers.filter((answer) => answer.body.detail.startsWith("Too many wrong passwords"))).toHaveLength(5);
      expect(await levels()).toEqual([25, 25]);
      expect((await signIn({}, from("198.51.100.7"))).status).toBe(200);
      expect((await signIn({ password: "wrong" }, from("198.51.100.7"))).status).toBe(400);
    });

    test("of strangers cannot keep a person out who signs in with a new device where they did before", async () => {
      expect((await signIn({}, from("192.0.2.1"))).status).toBe(200);
      await attack(100);
      expect((await signIn({}, from("198.51.100.7"))).status).toBe(429);
      // The same network, not the same address.
      expect((await signIn({}, from("192.0.2.200"))).status).toBe(200);
      expect((await signIn({ password: "wrong" }, from("192.0.2.1"))).status).toBe(400);
      expect(await levels()).toEqual([100, 1, 1, 1]);
    });

    test("of many networks are a hundred together", async () => {
      for (let index = 0; index < 110; index++) await signIn({ password: "wrong" }, from(`198.51.${index}.1`));
      expect((await signIn({}, from("203.0.113.9"))).status).toBe(429);
      expect((await levels())[0]).toBe(100);
    });

    test("in somebody else's network are counted as anybody's", async () => {
      await world.person({ email: "bob@harbour.example", password });
      await signIn({ email: "bob@harbour.example" }, from("192.0.2.1"));
      await attack(100);
      expect((await signIn({}, from("192.0.2.1"))).status).toBe(429);
    });

    test("for an address that its person gave up are answered as for any other", async () => {
      await signIn({}, from("192.0.2.1"));
      await world.client.execute("UPDATE users SET email = 'ada@lighthouse.example'");
      expect(await signIn({}, from("192.0.2.1"))).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
    });

    test("are no reason for more round trips, and the right one gives all back", async () => {
      await signIn({ password: "wrong" }, from("192.0.2.1"));
      world.roundTrips.reset();
      expect((await signIn({}, from("192.0.2.1"))).status).toBe(200);
      expect(world.roundTrips.count).toBe(3);
      expect(await levels()).toEqual([1, 1]);
    });

    test("of a flood cost one read each when many of its network wait, and keep out nobody whose network is known", async () => {
      await signIn({}, from("192.0.2.1"));
      const { scrypt } = world.services;
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let hashes = 0;
      world.services.scrypt = (...given) => {
        hashes++;
        return held.then(() => scrypt(...given));
      };
      const flood = Array.from({ length: maxInShare + 1 }, (_, index) =>
        signIn({ email: `x${index}@harbour.example` }, from("203.0.113.9")),
      );
      // One is being checked, the others wait.
      await vi.waitFor(
        async () => {
          const { rows } = await world.client.execute("SELECT count(*) AS n FROM sign_in_failures");
          expect(Number(rows[0]!.n)).toBe(2 + 2 * (maxInShare + 1));
          expect(hashes).toBe(1);
        },
        { timeout: 20_000 },
      );
      world.roundTrips.reset();
      const refused = await signIn({ email: "last@harbour.example" }, from("203.0.113.77"));
      expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
      expect(refused.headers.get("retry-after")).toBe("5");
      expect(world.roundTrips.count).toBe(2);
      const familiar = signIn({}, from("192.0.2.1"));
      const elsewhere = signIn({}, from("198.51.100.7"));
      release();
      expect((await familiar).status).toBe(200);
      expect((await elsewhere).status).toBe(200);
      expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array<number>(maxInShare + 1).fill(400));
    });

    test("ninety days after the last sign-in from a network it is forgotten, and there are ten for a person at most", async () => {
      const count = async () =>
        Number((await world.client.execute("SELECT count(*) AS n FROM sign_in_networks")).rows[0]!.n);
      for (let index = 0; index < 12; index++) {
        await signIn({}, from(`192.0.${index}.1`));
        world.advance(1);
      }
      expect(await count()).toBe(10);
      await attack(100);
      expect((await signIn({}, from("192.0.0.1"))).status).toBe(429);
      expect((await signIn({}, from("192.0.2.1"))).status).toBe(200);
      world.advance(90 * 86_400 + 60);
      await attack(100);
      expect((await signIn({}, from("192.0.2.1"))).status).toBe(429);
      await sweepIdentity(world.services);
      expect(await count()).toBe(0);
    });

    test("shows nobody a network in the database", async () => {
      await signIn({}, from("192.0.2.1"));
      const { rows } = await world.client.execute("SELECT * FROM sign_in_networks");
      expect(JSON.stringify(rows)).not.toContain("192.0");
    });
  });

  test("that cannot be checked are not counted", async () => {
    world.services.scrypt = () =>
      Promise.reject(new AppError("passwords_unavailable", "Passwords cannot be checked", { retryAfter: 5 }));
    const answer = await signIn({ password: "wrong" });
    expect(answer).toMatchObject({ status: 503, body: { code: "passwords_unavailable" } });
    expect(answer.headers.get("retry-after")).toBe("5");
    const { rows } = await world.client.execute("SELECT level FROM sign_in_failures");
    expect(rows.map((row) => Number(row.level))).toEqual([0]);
  });

  /** As if so many wrong passwords had just been given. */
  const spend = async (level: number) => {
    await signIn({ password: "wrong" });
    await world.client.execute({
      sql: "UPDATE sign_in_failures SET level = ?, updated_at = ? WHERE instr(bucket, ':') = 0",
      args: [level, world.services.now()],
    });
  };
});
