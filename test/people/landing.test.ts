import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { flatten, landingHome, landingRule, type LandingFacts } from "../../src/people/organizations/landing.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";

const base = "/api/v1/landing-rules";

interface Rule {
  id: string;
  kind: "attribute" | "group" | "email_domain";
  attribute: string;
  value: string;
  organization_id: string;
}
interface Problem {
  code: string;
  detail: string;
  issues: { path: string }[];
}

const organizations = async (world: World) => {
  await world.client.batch(
    ["quay", "pier", "off"].map((id) => ({
      sql: "INSERT INTO organizations (id, name, active, is_default, model_ids, features, created_at, updated_at) VALUES (?, ?, ?, 0, NULL, '{}', 0, 0)",
      args: [id, id, id === "off" ? 0 : 1],
    })),
  );
};

describe("landing rules", () => {
  let world: World;
  let admin: Person;
  beforeEach(async () => {
    world = await createWorld();
    admin = await world.admin();
    await organizations(world);
  });
  afterEach(() => world.close());

  const put = (rules: unknown, as: Person = admin) =>
    world.call<{ rules: Rule[] } & Problem>(base, { method: "PUT", json: { rules }, as });
  const list = async () => (await world.call<{ rules: Rule[] }>(base, { as: admin })).body.rules;
  const attempt = (json: Record<string, unknown>) =>
    world.call<{ organization_id: string | null; rule_id: string | null; code: string }>(`${base}/try`, {
      json: { email: "ada@harbour.example", ...json },
      as: admin,
    });
  const toQuay = { kind: "email_domain", value: "harbour.example", organization_id: "quay" };
  const toPier = { kind: "group", value: "Crew", organization_id: "pier" };

  test("are replaced as one list, in its order, with an audit row where something changes", async () => {
    expect(await list()).toEqual([]);
    const { status, body } = await put([toPier, toQuay, { ...toPier, kind: "attribute", attribute: "department" }]);
    expect(status).toBe(200);
    expect(body.rules).toEqual([
      { id: expect.any(String), attribute: "", ...toPier },
      { id: expect.any(String), attribute: "", ...toQuay },
      { id: expect.any(String), ...toPier, kind: "attribute", attribute: "department" },
    ]);
    expect(await list()).toEqual(body.rules);
    expect((await put([toQuay])).body.rules).toHaveLength(1);
    await put([toQuay]);
    expect(await list()).toMatchObject([toQuay]);
    expect((await put([])).body).toEqual({ rules: [] });
    const { rows } = await world.client.execute("SELECT action, detail FROM audit_events ORDER BY id");
    expect(rows.map((row) => row.action)).toEqual(Array(3).fill("landing_rules.replaced"));
    expect(JSON.parse(rows[2]!.detail as string)).toEqual({
      from: [["email_domain", "", "harbour.example", "quay"]],
      to: [],
    });
  });

  test.each([
    ["@Harbour.Example", "harbour.example"],
    [" HARBOUR.EXAMPLE ", "harbour.example"],
    ["Hafen-Ä.example", "hafen-ä.example"],
  ])("take the domain %j as addresses have it", async (value, stored) => {
    expect((await put([{ ...toQuay, value }])).body.rules[0]!.value).toBe(stored);
  });

  test.each([
    ["an unknown organization", [toQuay, { ...toPier, organization_id: "nothing" }], "rules.1.organization_id"],
    ["no domain", [{ ...toQuay, value: "not a domain" }], "rules.0.value"],
    ["no attribute", [{ ...toQuay, kind: "attribute" }], "rules.0.attribute"],
    ["an unknown kind", [{ ...toQuay, kind: "moon" }], "rules.0.kind"],
    ["no value", [{ ...toQuay, value: " " }], "rules.0.value"],
    ["no list", "everybody", "rules"],
  ])("with %s are refused, and the list stays", async (_, rules, path) => {
    await put([toQuay]);
    const { status, body } = await put(rules);
    expect([status, body.issues.map((issue) => issue.path)]).toEqual([422, [path]]);
    expect(await list()).toMatchObject([toQuay]);
  });

  test("are for system administrators", async () => {
    const chief = await world.person({ organizationId: "quay" });
    await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [chief.id] });
    expect((await put([], chief)).status).toBe(403);
    expect((await world.request(base, { as: chief })).status).toBe(403);
    expect((await world.call(`${base}/try`, { json: { email: "a@b.example" }, as: chief })).status).toBe(403);
  });

  test("take two round trips", async () => {
    for (const call of [() => put([toQuay]), () => list(), () => attempt({})]) {
      world.roundTrips.reset();
      await call();
      expect(world.roundTrips.count).toBe(2);
    }
  });

  test("written by two at the same moment are one of the two lists", async () => {
    const lists = [
      [toQuay, toPier],
      [toPier, toQuay, toPier],
    ];
    await Promise.all([...lists, ...lists].map((rules) => put(rules)));
    const stored = (await list()).map((rule) => rule.organization_id);
    expect(lists.map((rules) => rules.map((rule) => rule.organization_id))).toContainEqual(stored);
  });

  test("can be tried: the first that fits and whose organization is on decides, then the default one", async () => {
    const { rules } = (await put([{ ...toPier, organization_id: "off" }, toPier, toQuay])).body;
    expect((await attempt({})).body).toEqual({ organization_id: "quay", rule_id: rules[2]!.id });
    expect((await attempt({ groups: ["Other", "Crew"] })).body).toEqual({
      organization_id: "pier",
      rule_id: rules[1]!.id,
    });
    expect((await attempt({ email: "ada@elsewhere.example" })).body).toEqual({
      organization_id: defaultOrganizationId,
      rule_id: null,
    });
    await world.client.execute("UPDATE organizations SET active = 0 WHERE id IN ('quay', 'pier')");
    expect((await attempt({ groups: ["Crew"] })).body).toEqual({
      organization_id: defaultOrganizationId,
      rule_id: null,
    });
    expect(await attempt({ email: "nobody" })).toMatchObject({ status: 400, body: { code: "invalid_email" } });
    expect((await attempt({ groups: "Crew" })).status).toBe(422);
  });

  test("look at no more of attributes than the database takes, and pass over values that no rule can have", () => {
    const name = "k".repeat(1000);
    const facts = flatten({ photo: "x".repeat(2_000_000), [name]: Array.from({ length: 3000 }, () => 1), after: "a" });
    expect(JSON.stringify(facts).length).toBeLessThan(600_000);
    expect(flatten({ photo: "x".repeat(2_000_000), department: "Sea" })).toEqual([["department", "Sea"]]);
  });

  test("look no deeper into attributes than anything real goes", async () => {
    const lookInto = async (depth: number) => {
      const deep = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
      const { status } = await world.call(`${base}/try`, {
        method: "POST",
        body: `{"email": "ada@harbour.example", "attributes": ${deep}}`,
        headers: { "content-type": "application/json" },
        as: admin,
      });
      return status;
    };
    // As deep as a body may be.
    expect(await lookInto(499)).toBe(200);
    expect(await lookInto(500)).toBe(400);
    const facts: unknown = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`);
    expect(flatten(facts as Record<string, unknown>)).toEqual([]);
  });
});

describe("a new account", () => {
  let world: World;
  let admin: Person;
  beforeEach(async () => {
    world = await createWorld();
    admin = await world.admin();
    await organizations(world);
    await world.client.execute("INSERT INTO settings VALUES ('ENABLE_SIGNUP', 'true', 0)");
    await world.client.batch([
      "INSERT INTO landing_rules VALUES ('1', 0, 'email_domain', '', 'off.example', 'off', 0)",
      "INSERT INTO landing_rules VALUES ('2', 1, 'email_domain', '', 'off.example', 'pier', 0)",
      "INSERT INTO landing_rules VALUES ('3', 2, 'email_domain', '', 'harbour.example', 'quay', 0)",
      "INSERT INTO landing_rules VALUES ('4', 3, 'email_domain', '', 'closed.example', 'off', 0)",
    ]);
  });
  afterEach(() => world.close());

  const signUp = (email: string) =>
    world.call<Problem & { id: string; organization_id: string }>("/api/v1/auths/signup", {
      json: { name: "Ada", email, password: "correct horse" },
    });
  const add = (email: string) =>
    world.call<Problem & { id: string }>("/api/v1/auths/add", {
      json: { name: "Ada", email, password: "correct horse", role: "user" },
      as: admin,
    });
  const homeOf = async (id: string) =>
    (await world.client.execute({ sql: "SELECT organization_id FROM users WHERE id = ?", args: [id] })).rows[0]!
      .organization_id;

  test.each([
    ["ada@Harbour.Example", "quay"],
    ["ada@off.example", "pier"],
    ["ada@elsewhere.example", defaultOrganizationId],
    ["ada@closed.example", defaultOrganizationId],
    ["ada@sub.harbour.example", defaultOrganizationId],
  ])("of %s lands in %s, by sign-up and by an administrator", async (email, home) => {
    const signedUp = await signUp(email);
    expect([signedUp.status, await homeOf(signedUp.body.id)]).toEqual([200, home]);
    expect(signedUp.body.organization_id).toBe(home);
    const added = await add(`b${email}`);
    expect([added.status, await homeOf(added.body.id)]).toEqual([200, home]);
    const { rows } = await world.client.execute("SELECT organization_id FROM audit_events");
    expect(rows.map((row) => row.organization_id)).toEqual([home, home]);
  });

  test("is not made, nor anything of it, where no rule names an active organization and the default one is off", async () => {
    await world.client.execute("UPDATE users SET organization_id = 'pier'");
    await world.client.execute("UPDATE organizations SET active = 0 WHERE is_default = 1");
    for (const made of [await signUp("ada@closed.example"), await add("ada@elsewhere.example")])
      expect(made).toMatchObject({
        status: 403,
        body: { code: "organization_inactive", detail: expect.stringContaining("No landing rule") },
      });
    expect((await signUp("ada@harbour.example")).status).toBe(200);
    for (const [table, count] of [
      ["users", 2],
      ["passwords", 1],
      ["sessions", 2],
      ["audit_events", 1],
    ] as const)
      expect([table, (await world.client.execute(`SELECT 1 FROM ${table}`)).rows.length]).toEqual([table, count]);
  });

  test("answers at sign-up and sign-in what the next request is decided by", async () => {
    await world.client.batch([
      `UPDATE organizations SET features = '{"api_keys": false}' WHERE id = 'quay'`,
      `INSERT INTO settings VALUES ('permissions.default', '{"features": {"api_keys": true}}', 0)`,
      "INSERT INTO settings VALUES ('DEFAULT_USER_ROLE', '\"user\"', 0)",
    ]);
    interface Answered {
      id: string;
      token: string;
      permissions: { features: { api_keys: boolean }; workspace: { models: boolean } };
    }
    const email = "ada@harbour.example";
    const made = (await signUp(email)).body as unknown as Answered;
    const group = await world.call<{ id: string }>("/api/v1/groups/create", {
      json: { name: "Pier's", organization_id: "pier", permissions: { workspace: { models: true } } },
      as: admin,
    });
    // Left over from another home.
    await world.client.execute({
      sql: "INSERT INTO group_members (group_id, user_id, created_at) VALUES (?, ?, 0)",
      args: [group.body.id, made.id],
    });
    const entered = await world.call<Answered>("/api/v1/auths/signin", { json: { email, password: "correct horse" } });
    const now = await world.call("/api/v1/users/permissions", { as: made });
    const session = await world.call<Answered>("/api/v1/auths/", { as: made });
    expect(made.permissions.features.api_keys).toBe(false);
    expect([made.permissions, entered.body.permissions, session.body.permissions]).toEqual([
      now.body,
      now.body,
      now.body,
    ]);
    expect(entered.body.permissions.workspace.models).toBe(false);
  });
});

describe("attributes", () => {
  test.each<[string, Record<string, unknown>, [string, string][]]>([
    ["have their names in lower case", { Department: "Deck" }, [["department", "Deck"]]],
    ["are dotted where they are nested", { name: { givenName: "Ada" } }, [["name.givenname", "Ada"]]],
    [
      "count each value of a list",
      { roles: ["a", "b"] },
      [
        ["roles", "a"],
        ["roles", "b"],
      ],
    ],
    [
      "count the values of SCIM's lists",
      { emails: [{ value: "a@b.example", type: "work" }] },
      [
        ["emails", "a@b.example"],
        ["emails.type", "work"],
      ],
    ],
    [
      "are texts whatever they were",
      { active: true, level: 3, none: null },
      [
        ["active", "true"],
        ["level", "3"],
      ],
    ],
    [
      "of an extension have their URN or nothing before the name",
      { "urn:a:2.0:User": { department: "Deck", manager: { displayName: "Bo", value: "7" } } },
      [
        ["urn:a:2.0:user:department", "Deck"],
        ["department", "Deck"],
        ["urn:a:2.0:user:manager.displayname", "Bo"],
        ["manager.displayname", "Bo"],
        ["urn:a:2.0:user:manager", "7"],
        ["manager", "7"],
      ],
    ],
    ["may be called value", { value: "x" }, [["value", "x"]]],
  ])("%s", (_, attributes, expected) => {
    expect(flatten(attributes)).toEqual(expected);
  });
});

/** The rules once more, in plain words. */
function decide(rules: Rule[], active: Set<string>, facts: LandingFacts): { home: string | null; rule: string | null } {
  const valuesOf = (wanted: string): string[] => {
    const found: string[] = [];
    const look = (name: string, value: unknown): void => {
      if (Array.isArray(value)) for (const entry of value) look(name, entry);
      else if (typeof value === "object" && value !== null)
        for (const [key, entry] of Object.entries(value)) look(name === "" ? key : `${name}.${key}`, entry);
      else if (value !== null && value !== undefined && name.toLowerCase() === wanted.toLowerCase())
        found.push(`${value as string | number | boolean}`);
    };
    look("", facts.attributes ?? {});
    return found;
  };
  const fits = (rule: Rule): boolean => {
    if (rule.kind === "email_domain") return facts.email.endsWith(`@${rule.value}`);
    if (rule.kind === "group") return (facts.groups ?? []).includes(rule.value);
    return valuesOf(rule.attribute).includes(rule.value);
  };
  const first = rules.find((rule) => active.has(rule.organization_id) && fits(rule));
  return {
    home: first?.organization_id ?? (active.has(defaultOrganizationId) ? defaultOrganizationId : null),
    rule: first?.id ?? null,
  };
}

describe("where somebody lands", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await organizations(world);
  });
  afterAll(() => world.close());

  const word = fc.constantFrom("Deck", "deck", "x", 'O\'Hara "7"', "true", "7", "ä", "harbour.example");
  const name = fc.constantFrom("dept", "Dept", "a", "A", "b");
  const leaf = fc.oneof(word, fc.integer({ min: 6, max: 8 }), fc.boolean(), fc.constant(null));
  const nested = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(name, leaf, { maxKeys: 3 }));
  const facts: fc.Arbitrary<LandingFacts> = fc.record({
    email: fc.constantFrom("ada@harbour.example", "ada@x", "deck@sub.harbour.example"),
    attributes: fc.dictionary(name, nested, { maxKeys: 4 }),
    groups: fc.array(word, { maxLength: 3 }),
  });
  const organization = fc.constantFrom("quay", "pier", "off", defaultOrganizationId);
  const rule = fc.record({
    kind: fc.constantFrom("attribute", "group", "email_domain"),
    attribute: fc.oneof(
      name,
      fc.tuple(name, name).map((parts) => parts.join(".")),
    ),
    value: word,
    organization_id: organization,
  });

  test("is the same in SQL as in plain words, whatever the rules and facts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 6 }),
        fc.uniqueArray(organization, { maxLength: 4 }),
        facts,
        async (given, on, person) => {
          // Positions may repeat; then the id decides.
          const rules = given.map((entry, at): Rule => ({ ...(entry as Rule), id: `rule-${at}` }));
          await world.client.batch([
            "DELETE FROM landing_rules",
            {
              sql: "UPDATE organizations SET active = id IN (SELECT value FROM json_each(?))",
              args: [JSON.stringify(on)],
            },
            ...rules.map((entry, at) => ({
              sql: "INSERT INTO landing_rules VALUES (?, ?, ?, ?, ?, ?, 0)",
              args: [entry.id, at >> 1, entry.kind, entry.attribute, entry.value, entry.organization_id],
            })),
          ]);
          const [row] = await world.db.all<{ home: string | null; rule: string | null }>(
            sql`SELECT ${landingHome(person)} AS home, ${landingRule(person)} AS rule`,
          );
          expect(row).toEqual(decide(rules, new Set(on), person));
        },
      ),
      { numRuns: 150 },
    );
  });
});
