import { afterAll, beforeAll, expect, test } from "vitest";
import { listing, startProvider, type Provider } from "../models/provider.ts";
import { startParley, type Parley } from "./start-parley.ts";

const password = "correct horse battery staple";
let parley: Parley;
let general: Provider;
let own: Provider;

interface Body {
  id: string;
  token: string;
  role: string;
  organization_id: string;
  moved: number;
  user_ids: string[];
  users: { id: string }[];
  data: { id: string }[];
  organizations: { id: string; is_default: boolean }[];
}

const call = async (as: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(parley.url + path, {
    method,
    headers: { "content-type": "application/json", ...(as ? { authorization: `Bearer ${as}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
};
const signUp = async (email: string) =>
  (await call("", "POST", "/api/v1/auths/signup", { name: "Ada", email, password })).body;

beforeAll(async () => {
  general = await startProvider(listing("tide"));
  own = await startProvider(listing("reef"));
  parley = await startParley({ env: { ENABLE_SIGNUP: "true", DEFAULT_USER_ROLE: "user" } });
});
afterAll(async () => {
  await parley?.stop();
  await Promise.all([general?.close(), own?.close()]);
});

test("people land, are moved and kept apart by organization over the real database", async () => {
  const admin = await signUp("grace@harbour.example");
  const api = (method: string, path: string, body?: unknown) => call(admin.token, method, path, body);
  const quay = (await api("POST", "/api/v1/organizations", { name: "Quay" })).body.id;
  const home = (await api("GET", "/api/v1/organizations")).body.organizations.find((entry) => entry.is_default)!.id;
  const rules = [{ kind: "email_domain", value: "quay.example", organization_id: quay }];
  expect((await api("PUT", "/api/v1/landing-rules", { rules })).status).toBe(200);
  await api("POST", "/api/v1/connections", { base_url: general.origin });
  await api("POST", "/api/v1/connections", { base_url: own.origin, organization_id: quay });

  const [ada, bob] = [await signUp("ada@quay.example"), await signUp("bob@harbour.example")];
  expect([ada.organization_id, bob.organization_id]).toEqual([quay, home]);
  const modelsOf = async (token: string) =>
    (await call(token, "GET", "/api/models?refresh=true")).body.data.map((model) => model.id).sort();
  expect([await modelsOf(ada.token), await modelsOf(bob.token)]).toEqual([["reef", "tide"], ["tide"]]);

  // Ada administers Quay, and nothing else.
  await api("POST", `/api/v1/users/${ada.id}/update`, { organization_role: "admin" });
  expect((await call(ada.token, "GET", "/api/v1/users/")).body.users.map((user) => user.id)).toEqual([ada.id]);
  expect((await call(ada.token, "POST", `/api/v1/users/${bob.id}/update`, { name: "X" })).status).toBe(404);
  expect((await call(ada.token, "POST", `/api/v1/users/${ada.id}/update`, { role: "admin" })).status).toBe(403);
  const group = (await call(ada.token, "POST", "/api/v1/groups/create", { name: "Crew" })).body.id;
  const add = () => call(ada.token, "POST", `/api/v1/groups/id/${group}/users/add`, { user_ids: [bob.id] });
  expect((await add()).status).toBe(422);
  expect((await api("POST", `/api/v1/organizations/${quay}/members`, { user_ids: [bob.id] })).body.moved).toBe(1);
  expect((await add()).body.user_ids).toEqual([bob.id]);
  expect(await modelsOf(bob.token)).toEqual(["reef", "tide"]);

  expect((await api("PATCH", `/api/v1/organizations/${quay}`, { active: false })).status).toBe(200);
  for (const { token } of [ada, bob]) expect((await call(token, "GET", "/api/models")).status).toBe(403);
  expect((await signUp("late@quay.example")).organization_id).toBe(home);
  expect((await api("DELETE", `/api/v1/organizations/${quay}`)).status).toBe(409);
  await api("POST", `/api/v1/organizations/${home}/members`, { user_ids: [ada.id, bob.id] });
  expect((await api("DELETE", `/api/v1/organizations/${quay}`)).status).toBe(200);
  expect([await modelsOf(ada.token), await modelsOf(bob.token)]).toEqual([["tide"], ["tide"]]);
  expect((await call(ada.token, "GET", "/api/v1/users/")).status).toBe(403);
});
