import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, StartFailure, startParley } from "./start-parley.ts";

const token = "the-token-that-the-identity-provider-has";
const base = "/api/v1/scim/v2";
let parley: Parley;

beforeAll(async () => {
  parley = await startParley({ env: { SCIM_ENABLED: "true", SCIM_TOKEN: token } });
});
afterAll(() => parley.stop());

async function scim(method: string, path: string, body?: unknown) {
  const response = await fetch(parley.url + base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> };
}

const idOf = ({ body }: { body: Record<string, unknown> }) => body.id as string;

test("says at its start what is missing, and works without it", async () => {
  expect(parley.output).toContain("SCIM_AUTH_PROVIDER is not set");
  const failed = await scim("POST", "/Users", { userName: "ada@harbour.example", externalId: "x" });
  expect([failed.status, failed.body.detail]).toEqual([500, expect.stringContaining("SCIM_AUTH_PROVIDER")]);
  expect((await scim("POST", "/Users", { userName: "ada@harbour.example" })).status).toBe(201);
});

test("a start without a token is refused, with the name of the variable", async () => {
  const failure: unknown = await startParley({ env: { SCIM_ENABLED: "true", SCIM_TOKEN: "" } }).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(StartFailure);
  expect((failure as StartFailure).output).toContain("SCIM_TOKEN is not set");
});

test("many writers at once: nobody is lost, nobody hears of the others, a name is given once", async () => {
  const people = await Promise.all(
    Array.from({ length: 120 }, (_, n) =>
      scim("POST", "/Users", { userName: `person${n}@harbour.example`, displayName: `Person ${n}` }),
    ),
  );
  expect(people.filter(({ status }) => status !== 201)).toEqual([]);
  const same = await Promise.all(
    Array.from({ length: 12 }, () => scim("POST", "/Users", { userName: "one@harbour.example" })),
  );
  expect(same.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
  const members = people.map((person) => ({ value: idOf(person) }));
  const group = await scim("POST", "/Groups", { displayName: "Pilots", members: members.slice(0, 60) });
  const path = `/Groups/${idOf(group)}`;
  const changes = members
    .slice(60)
    .map((member) => scim("PATCH", path, { Operations: [{ op: "add", path: "members", value: [member] }] }));
  const removals = members
    .slice(0, 10)
    .map(({ value }) => scim("PATCH", path, { Operations: [{ op: "remove", path: `members[value eq "${value}"]` }] }));
  const answers = await Promise.all([...changes, ...removals]);
  // Above a hundred members the answer has no body.
  expect(answers.filter(({ status }) => status !== 200 && status !== 204)).toEqual([]);
  const now = await scim("GET", path);
  expect(now.body.members).toHaveLength(110);
});

test("filters and orders work on the database that is really there", async () => {
  const found = async (filter: string) =>
    (await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults;
  expect(await found('userName eq "PERSON7@harbour.example"')).toBe(1);
  expect(await found('name.formatted eq "person 7" and name.familyName eq "7"')).toBe(1);
  expect(await found('emails[type eq "work" and value co "person7@"] and not (active eq false)')).toBe(1);
  expect(await found('groups.display eq "pilots" and meta.created gt "2020-01-01T00:00:00Z"')).toBe(110);
  expect((await scim("GET", "/Users?sortBy=name.familyName&sortOrder=descending&count=1")).status).toBe(200);
});

test("who is switched off is signed out, over the real sessions", async () => {
  const signUp = async (email: string) => {
    const response = await fetch(`${parley.url}/api/v1/auths/signup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Grace Hopper", email, password: "a long enough password" }),
    });
    return (await response.json()) as { id: string; token: string };
  };
  // The first of those who sign up themselves becomes administrator, however many others there are.
  const admin = await signUp("admin@harbour.example");
  expect((await scim("DELETE", `/Users/${admin.id}`)).status).toBe(409);
  const person = await signUp("grace@harbour.example");
  const session = () => fetch(`${parley.url}/api/v1/auths/`, { headers: { authorization: `Bearer ${person.token}` } });
  expect((await session()).status).toBe(200);
  expect((await scim("DELETE", `/Users/${person.id}`)).status).toBe(204);
  expect((await session()).status).toBe(401);
  expect((await scim("GET", `/Users/${person.id}`)).body.active).toBe(false);
});
