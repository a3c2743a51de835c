import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseEnvironment } from "../../src/compose/parse-environment.ts";
import { createWorld, type World } from "../world.ts";
import { base, createScimWorld, errorUrn, type Failure, scimEnvironment, type ScimWorld, token } from "./scim-world.ts";

let world: ScimWorld;
beforeAll(async () => {
  world = await createScimWorld({ environment: { SCIM_TOKEN_PREVIOUS: "the-token-that-it-had-before-that" } });
});
afterAll(() => world.close());

const paths = ["/Users", "/Groups", "/ServiceProviderConfig", "/Schemas", "/ResourceTypes", "/Bulk", "/Nothing"];

/** What of an answer makes it a refusal. */
const seen = ({ status, headers, body }: { status: number; headers: Headers; body: Failure }) => ({
  status,
  challenge: headers.get("www-authenticate"),
  type: headers.get("content-type"),
  body: { schemas: body.schemas, status: body.status, hasDetail: body.detail !== "" },
});
const refusal = {
  status: 401,
  challenge: "Bearer",
  type: "application/scim+json",
  body: { schemas: [errorUrn], status: "401", hasDetail: true },
};

describe("who is let in", () => {
  test.each(paths)("%s: nobody without the token, with a wrong one, or with a garbled header", async (path) => {
    const tokens = [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      token,
      `Basic ${token}`,
      `Bearer ${token} more`,
      `Bearer ${token}x`,
    ];
    for (const authorization of [...tokens, `Bearer ${token.slice(0, -1)}`, `Token ${token}`]) {
      const headers = authorization === undefined ? {} : { authorization };
      expect(seen(await world.call<Failure>(base + path, { headers }))).toEqual(refusal);
    }
  });

  test("both valid tokens are let in, whatever the case of the scheme; the audit says which it was", async () => {
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, "BEARER  the-token-that-it-had-before-that"]) {
      expect((await world.call(`${base}/Users`, { headers: { authorization } })).status).toBe(200);
    }
    await world.settled();
    const { rows } = await world.client.execute(
      "SELECT DISTINCT detail ->> '$.token' AS token FROM audit_events WHERE action = 'scim.users.read' ORDER BY 1",
    );
    expect(rows.map((row) => row.token)).toEqual(["SCIM_TOKEN", "SCIM_TOKEN_PREVIOUS"]);
  });

  test("sessions and keys of people are no tokens here, administrators' neither, nor is the token in another header", async () => {
    const admin = await world.admin();
    expect(seen(await world.call<Failure>(`${base}/Users`, { as: admin }))).toEqual(refusal);
    expect(seen(await world.call<Failure>(`${base}/Users`, { cookie: admin }))).toEqual(refusal);
    expect(seen(await world.call<Failure>(`${base}/Users`, { headers: { "x-api-key": token } }))).toEqual(refusal);
    expect(seen(await world.call<Failure>(`${base}/Users`, { cookie: token }))).toEqual(refusal);
  });

  test("the token opens nothing else", async () => {
    for (const path of ["/api/v1/users/", "/api/models", "/api/v1/auths/", "/api/v1/auths/admin/scim"]) {
      expect((await world.call(path, { as: token })).status).toBe(401);
      expect((await world.call(path, { headers: { "x-api-key": token } })).status).toBe(401);
    }
  });

  test("a stranger costs no look-up, and cannot fill the audit", async () => {
    await world.call(`${base}/Users`, { as: "wrong" });
    await world.settled();
    const count = async () => (await world.client.execute("SELECT count(*) AS n FROM audit_events")).rows[0]!.n;
    const before = await count();
    world.roundTrips.reset();
    for (let tries = 0; tries < 20; tries++) await world.call(`${base}/Users`, { as: "wrong" });
    await world.settled();
    expect(world.roundTrips.count).toBe(0);
    expect(await count()).toBe(before);
    world.advance(61);
    await world.call(`${base}/Users?filter=secret`, { as: "wrong" });
    await world.settled();
    const { rows } = await world.client.execute("SELECT * FROM audit_events ORDER BY id DESC LIMIT 1");
    expect(rows[0]).toMatchObject({ actor_kind: "scim", action: "scim.request.refused" });
    expect(JSON.parse(String(rows[0]!.detail))).toMatchObject({ operation: `GET ${base}/Users`, status: 401 });
    expect(String(rows[0]!.detail)).not.toContain("wrong");
  });
});

describe("while provisioning is off", () => {
  let off: World;
  beforeAll(async () => {
    off = await createWorld({ environment: { SCIM_TOKEN: token } });
  });
  afterAll(() => off.close());

  test.each(paths)("%s is 401 with the right token too", async (path) => {
    expect(seen(await off.call<Failure>(base + path, { as: token }))).toEqual(refusal);
    const options = { method: "POST", body: "{", headers: { "content-type": "application/scim+json" }, as: token };
    expect(seen(await off.call<Failure>(base + path, options))).toEqual(refusal);
  });
});

describe("where it is", () => {
  test.each([
    "/api/v1/scim/Users",
    "/api/scim/v2/Users",
    "/scim/v2/Users",
    "/api/v1/scim/v1/Users",
    "/api/v1/scim/v2x/Users",
  ])("%s is 404, never a page", async (path) => {
    const { status, headers } = await world.call(path, { as: token });
    expect(status).toBe(404);
    expect(headers.get("content-type")).toContain("json");
  });

  test("unknown paths below the base are 404 in SCIM's words", async () => {
    for (const path of [
      "",
      "/",
      "/Nothing",
      "/users",
      "/Users/a/b",
      "/Bulk",
      "/Schemas/urn:nothing",
      "/ResourceTypes/x",
    ]) {
      const { status, headers, body } = await world.scim<Failure>("GET", path);
      expect([path, status]).toEqual([path, 404]);
      expect(headers.get("content-type")).toBe("application/scim+json");
      expect(body).toMatchObject({ schemas: [errorUrn], status: "404" });
    }
    expect((await world.scim("POST", "/Bulk", {})).status).toBe(404);
  });

  test("a base address with a slash at its end works, and so does one behind the resource", async () => {
    for (const path of ["//Users", "/Users/", "//Users/?count=1"])
      expect((await world.scim("GET", path)).status).toBe(200);
  });

  test("Entra ID's flag in the query, and other unknown parameters, change nothing", async () => {
    expect((await world.scim("GET", "/Users?aadOptscim062020")).status).toBe(200);
    const { status } = await world.scim("POST", "/Users?aadOptscim062020=true&x=y", {
      userName: "flag@harbour.example",
    });
    expect(status).toBe(201);
  });
});

describe("bodies", () => {
  const send = (body: string | Uint8Array<ArrayBuffer>, type: string) =>
    world.call<Failure>(`${base}/Users`, { method: "POST", body, headers: { "content-type": type }, as: token });

  test.each(["{", "", "[1]", "null", '"text"', "userName=ada@harbour.example"])(
    "%j is no resource: 400 invalidSyntax",
    async (body) => {
      for (const type of ["application/scim+json", "application/json", "application/x-www-form-urlencoded"]) {
        const answer = await send(body, type);
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ schemas: [errorUrn], status: "400", scimType: "invalidSyntax" });
        expect(answer.headers.get("content-type")).toBe("application/scim+json");
      }
    },
  );

  test("broken UTF-8 is 400, too much is 413", async () => {
    expect((await send(new Uint8Array([0x7b, 0xff, 0x7d]), "application/scim+json")).status).toBe(400);
    const { status, body } = await send(`{"userName": "${"x".repeat(4_000_001)}"}`, "application/scim+json");
    expect([status, body.status]).toEqual([413, "413"]);
  });

  test("JSON is JSON, whatever it is called", async () => {
    const types = ["application/scim+json", "application/json", "application/scim+json; charset=utf-8", "text/plain"];
    for (const [index, type] of types.entries()) {
      const { status, headers } = await send(JSON.stringify({ userName: `type${index}@harbour.example` }), type);
      expect(status).toBe(201);
      expect(headers.get("content-type")).toBe("application/scim+json");
    }
  });
});

describe("the allow-list of addresses", () => {
  let fenced: ScimWorld;
  beforeEach(async () => {
    fenced = await createScimWorld({
      environment: { SCIM_IP_ALLOWLIST: "192.0.2.0/24, 2001:db8::/32,198.51.100.7", SCIM_IP_HEADER: "X-Forwarded-For" },
    });
    return () => fenced.close();
  });

  const from = (address: string | undefined, as = token) =>
    fenced.call<Failure>(`${base}/Users`, { as, headers: address === undefined ? {} : { "x-forwarded-for": address } });

  test("lets listed addresses in; of a list of proxies the last one counts, which the caller cannot write", async () => {
    for (const address of [
      "192.0.2.9",
      "2001:db8::1",
      "198.51.100.7",
      "203.0.113.1, 192.0.2.9",
      "192.0.2.9:4711",
      "[2001:db8::1]:443",
      "::ffff:192.0.2.1",
    ])
      expect([address, (await from(address)).status]).toEqual([address, 200]);
    for (const address of [
      "203.0.113.1",
      "192.0.2.9, 203.0.113.1",
      "198.51.100.8",
      "",
      "nonsense",
      "2001:db9::1",
      undefined,
    ])
      expect([address, (await from(address)).status]).toEqual([address, 403]);
  });

  test("from elsewhere nobody learns whether a token is right", async () => {
    const right = await from("203.0.113.1");
    const wrong = await from("203.0.113.1", "wrong");
    expect(wrong.body).toEqual(right.body);
    expect(right.body).toMatchObject({ schemas: [errorUrn], status: "403" });
    expect((await from("192.0.2.9", "wrong")).status).toBe(401);
  });
});

describe("the variables", () => {
  test("without a token provisioning does not start, and the message names the variable", () => {
    expect(() => parseEnvironment({ SCIM_ENABLED: "true" })).toThrow(
      /SCIM_TOKEN is not set, and SCIM_ENABLED needs it/,
    );
    expect(() => parseEnvironment({ ENABLE_SCIM: "true", SCIM_TOKEN: "" })).toThrow(/SCIM_TOKEN/);
    expect(parseEnvironment({ SCIM_ENABLED: "false" })).toEqual({ SCIM_ENABLED: false });
    expect(parseEnvironment({ ENABLE_SCIM: "true", SCIM_TOKEN: token })).toMatchObject({ SCIM_ENABLED: true });
  });

  test("an allow-list needs to know where the address is said", () => {
    const variables = { ...scimEnvironment, SCIM_IP_ALLOWLIST: "192.0.2.0/24" };
    expect(() => parseEnvironment(variables)).toThrow(/SCIM_IP_HEADER is not set, and SCIM_IP_ALLOWLIST needs it/);
  });

  test.each([
    ["SCIM_IP_ALLOWLIST", "192.0.2.0/33"],
    ["SCIM_IP_ALLOWLIST", "office"],
    ["SCIM_AUTH_PROVIDER", 'a"b'],
    ["SCIM_IP_HEADER", "a b"],
  ])("%s cannot be %s", (name, value) => {
    expect(() => parseEnvironment({ ...scimEnvironment, [name]: value })).toThrow(name);
  });

  test("a token that no header can carry is refused without being shown", () => {
    expect(() => parseEnvironment({ SCIM_ENABLED: "true", SCIM_TOKEN: "two words" })).toThrow(
      "SCIM_TOKEN is not valid",
    );
    expect(() => parseEnvironment({ SCIM_ENABLED: "true", SCIM_TOKEN: "two words" })).not.toThrow("two words");
  });
});
