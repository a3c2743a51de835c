import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRouters } from "../../../src/compose/routes.ts";
import { definitions } from "../../../src/compose/settings.ts";
import { declaredRoutes } from "../../../src/http/route-table.ts";
import type { AuditEvent, AuditPage } from "../../../src/people/audit/schema.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import type { Person, World } from "../../world.ts";
import { createKeyWorld } from "../auth/api-keys/key-world.ts";
import { elsewhere } from "./changes-elsewhere.ts";
import { channelSteps } from "./channel-steps.ts";
import { channelWebhookSteps, storeWebhookThings } from "./channel-webhook-steps.ts";
import { directConnectionSteps } from "./direct-connection-steps.ts";
import { embeddingSteps } from "./embedding-steps.ts";
import { feedbackSteps } from "./feedback-steps.ts";
import { fileSteps } from "./file-steps.ts";
import { folderSteps } from "./folder-steps.ts";
import { gettingInSteps } from "./getting-in-steps.ts";
import { knowledgeSteps, storeReadFiles } from "./knowledge-steps.ts";
import { localModelSteps } from "./local-model-steps.ts";
import { mediaSteps } from "./media-steps.ts";
import { memorySteps } from "./memory-steps.ts";
import { allPluginSteps, toolServerSteps } from "./plugin-steps.ts";
import { promptSteps, storePromptThings } from "./prompt-steps.ts";
import { secrets, type Step, type Values } from "./step.ts";
import { usageSteps } from "./usage-steps.ts";
import { webhookSteps } from "./webhook-steps.ts";

/** What the page of the audit log makes of events; its types are those of a browser, so they are not read here. */
interface PageWords {
  oddSentences(events: readonly AuditEvent[], titles: ReadonlyMap<string, string>): string[];
}
const pageWords: string = "../../ui/features/admin/audit/odd-sentences.ts";

const scim = (kind: string) => `urn:ietf:params:scim:${kind}`;
const scimUser = { schemas: [scim("schemas:core:2.0:User")], userName: "nia@harbour.example" };
const scimGroup = { schemas: [scim("schemas:core:2.0:Group")], displayName: "Crew" };
const patched = (...operations: Values[]) => ({ schemas: [scim("api:messages:2.0:PatchOp")], Operations: operations });
const model = (id: string, name = "Own") => ({ id, name, base_model_id: "parley-guide", meta: {}, params: {} });

const makesKey: Step = { who: "ada", route: "POST /api/v1/auths/api_key", actions: ["api_key.created"], makes: "key" };

const steps: Step[] = [
  {
    who: "stranger",
    route: "POST /api/v1/auths/signup",
    actions: ["user.signed_up"],
    body: () => ({ name: "Sam", email: "sam@harbour.example", password: secrets.signUp }),
  },
  {
    who: "admin",
    route: "POST /api/v1/auths/add",
    actions: ["user.created"],
    makes: "added",
    body: () => ({ name: "Bo", email: "bo@harbour.example", password: secrets.added, role: "user" }),
  },
  ...gettingInSteps,
  {
    who: "ada",
    route: "POST /api/v1/auths/update/profile",
    actions: ["user.profile_updated"],
    body: () => ({ name: "Ada L", bio: "Counts" }),
  },
  {
    who: "ada",
    route: "POST /api/v1/auths/update/password",
    actions: ["user.password_changed"],
    body: () => ({ password: secrets.signUp, new_password: secrets.changed }),
  },
  {
    who: "admin",
    route: "POST /api/v1/users/:id/update",
    actions: [
      "user.role_updated",
      "user.deactivated",
      "user.name_updated",
      "user.email_updated",
      "user.password_reset",
    ],
    of: "added",
    body: () => ({
      role: "pending",
      name: "Bob",
      email: "bob@harbour.example",
      password: secrets.reset,
      active: false,
    }),
  },
  {
    who: "admin",
    route: "POST /api/v1/users/default/permissions",
    actions: ["permissions.default_updated"],
    body: () => ({ workspace: { models: true } }),
  },
  {
    who: "admin",
    route: "POST /api/v1/auths/admin/config",
    actions: ["settings.updated"],
    body: () => ({ WEBUI_NAME: "Harbour" }),
  },
  {
    who: "admin",
    route: "POST /api/v1/configs/banners",
    actions: ["banners.updated"],
    body: () => ({ banners: [{ id: "b", type: "info", content: "Ahoy", dismissible: true, timestamp: 1 }] }),
  },
  {
    who: "admin",
    route: "POST /api/v1/imports",
    actions: ["import.started"],
    makes: "import",
    body: () => ({ source: "open-webui", fingerprint: "harbour", name: "webui.db" }),
  },
  { who: "admin", route: "POST /api/v1/exports", actions: ["export.started"], body: () => ({ scope: "service" }) },
  { who: "admin", route: "DELETE /api/v1/imports/:id", actions: ["import.forgotten"], of: "import" },
  { ...makesKey, body: () => ({ name: "one" }) },
  { who: "ada", route: "DELETE /api/v1/auths/api_keys/:id", actions: ["api_key.deleted"], of: "key" },
  makesKey,
  { who: "ada", route: "DELETE /api/v1/auths/api_key", actions: ["api_key.deleted"] },
  makesKey,
  { who: "admin", route: "DELETE /api/v1/auths/admin/api_keys/:id", actions: ["api_key.deleted"], of: "key" },
  makesKey,
  { who: "admin", route: "DELETE /api/v1/auths/admin/api_keys", actions: ["api_key.deleted"] },
  {
    who: "admin",
    route: "POST /api/v1/users/service_accounts",
    actions: ["service_account.created"],
    makes: "service",
    body: () => ({ name: "Probe" }),
  },
  {
    who: "admin",
    route: "POST /api/v1/users/:id/api_keys",
    actions: ["api_key.created"],
    of: "service",
    makes: "key_id",
    body: () => ({ name: "probe", allowed_endpoints: "GET /api/models" }),
  },
  {
    who: "admin",
    route: "POST /api/v1/users/:id/api_keys/:key_id/rotate",
    actions: ["api_key.rotated"],
    of: "service",
    makes: "key_id",
    body: () => ({}),
  },
  ...["/api/v1/organizations", "/api/v1/organizations/"].map((path): Step => ({
    who: "admin",
    route: `POST ${path}`,
    actions: ["organization.created"],
    makes: "organization",
    body: () => ({ name: `North ${path.length}` }),
  })),
  {
    who: "admin",
    route: "PATCH /api/v1/organizations/:id",
    actions: ["organization.renamed", "organization.features_updated"],
    of: "organization",
    body: () => ({ name: "South", features: { api_keys: false } }),
  },
  {
    who: "admin",
    route: "POST /api/v1/organizations/:id/members",
    actions: ["user.moved"],
    of: "organization",
    body: ({ added }) => ({ user_ids: [added] }),
  },
  ...["/api/v1/landing-rules", "/api/v1/landing-rules/"].map((path): Step => ({
    who: "admin",
    route: `PUT ${path}`,
    actions: ["landing_rules.replaced"],
    body: ({ organization }) => ({
      rules: [{ kind: "email_domain", value: `n${path.length}.example`, organization_id: organization }],
    }),
  })),
  {
    who: "admin",
    route: "POST /api/v1/groups/create",
    actions: ["group.created"],
    makes: "group",
    body: () => ({ name: "Crew" }),
  },
  {
    who: "admin",
    route: "POST /api/v1/groups/id/:id/update",
    actions: ["group.updated"],
    of: "group",
    body: () => ({ name: "Bots", permissions: { features: { api_keys: true } } }),
  },
  ...["add", "remove"].map((what): Step => ({
    who: "admin",
    route: `POST /api/v1/groups/id/:id/users/${what}`,
    actions: [what === "add" ? "group.members_added" : "group.members_removed"],
    of: "group",
    body: ({ added }) => ({ user_ids: [added] }),
  })),
  { who: "admin", route: "DELETE /api/v1/groups/id/:id/delete", actions: ["group.deleted"], of: "group" },
  {
    who: "admin",
    route: "POST /api/v1/connections",
    actions: ["connection.created"],
    makes: "connection",
    body: () => ({
      base_url: `http://127.0.0.1:9/v1?key=${secrets.query}`,
      key: secrets.provider,
      headers: { "x-extra": secrets.header },
      enabled: false,
    }),
  },
  {
    who: "admin",
    route: "PATCH /api/v1/connections/:id",
    actions: ["connection.updated"],
    of: "connection",
    body: () => ({ name: "Other", key: secrets.providerNext, headers: { "x-other": `${secrets.header}-2` } }),
  },
  { who: "admin", route: "DELETE /api/v1/connections/:id", actions: ["connection.deleted"], of: "connection" },
  ...directConnectionSteps,
  ...toolServerSteps(() => ada.id),
  { who: "admin", route: "POST /api/v1/models/create", actions: ["model.created"], body: () => model("own") },
  {
    who: "admin",
    route: "POST /api/v1/models/model/update",
    actions: ["model.updated"],
    body: () => model("own", "Mine"),
  },
  {
    who: "admin",
    route: "POST /api/v1/models/model/toggle?id=own",
    actions: ["model.toggled"],
    body: () => ({ id: "own" }),
  },
  {
    who: "admin",
    route: "POST /api/v1/models/model/access/update",
    actions: ["model.updated"],
    body: () => ({ id: "own", access_grants: [{ principal_type: "user", principal_id: ada.id, permission: "read" }] }),
  },
  { who: "admin", route: "POST /api/v1/models/model/delete", actions: ["model.deleted"], body: () => ({ id: "own" }) },
  {
    who: "admin",
    route: "POST /api/v1/models/import",
    actions: ["model.created"],
    body: () => ({ models: [model("imported")] }),
  },
  {
    who: "admin",
    route: "POST /api/v1/models/sync",
    actions: ["model.created", "model.synchronized"],
    body: () => ({ models: [model("synced")] }),
  },
  { who: "admin", route: "DELETE /api/v1/models/delete/all", actions: ["model.all_deleted"] },
  ...allPluginSteps,
  ...channelSteps,
  ...fileSteps,
  ...folderSteps,
  ...embeddingSteps,
  ...mediaSteps,
  ...knowledgeSteps,
  ...promptSteps,
  ...memorySteps,
  ...feedbackSteps,
  ...channelWebhookSteps,
  ...localModelSteps,
  ...usageSteps,
  ...webhookSteps,
  { who: "admin", route: "DELETE /api/v1/users/:id", actions: ["user.deleted"], of: "added" },
  { who: "admin", route: "DELETE /api/v1/organizations/:id", actions: ["organization.deleted"], of: "organization" },
  {
    who: "provider",
    route: "POST /api/v1/scim/v2/Users",
    actions: ["scim.user.created", "user.provisioned"],
    makes: "nia",
    body: () => ({ ...scimUser, externalId: "n1" }),
  },
  {
    who: "provider",
    route: "PUT /api/v1/scim/v2/Users/:id",
    actions: ["scim.user.updated"],
    of: "nia",
    body: () => ({ ...scimUser, externalId: "n2", displayName: "Nia" }),
  },
  {
    who: "provider",
    route: "PATCH /api/v1/scim/v2/Users/:id",
    actions: ["scim.user.updated"],
    of: "nia",
    body: () => patched({ op: "replace", path: "externalId", value: "n3" }),
  },
  { who: "provider", route: "DELETE /api/v1/scim/v2/Users/:id", actions: ["scim.user.deactivated"], of: "nia" },
  {
    who: "provider",
    route: "POST /api/v1/scim/v2/Groups",
    actions: ["scim.group.created"],
    makes: "crew",
    body: () => scimGroup,
  },
  {
    who: "provider",
    route: "PUT /api/v1/scim/v2/Groups/:id",
    actions: ["scim.group.updated"],
    of: "crew",
    body: () => ({ ...scimGroup, displayName: "Crew 2", members: [{ value: ada.id }] }),
  },
  {
    who: "provider",
    route: "PATCH /api/v1/scim/v2/Groups/:id",
    actions: ["scim.group.updated"],
    of: "crew",
    body: () => patched({ op: "remove", path: "members" }),
  },
  { who: "provider", route: "DELETE /api/v1/scim/v2/Groups/:id", actions: ["scim.group.deleted"], of: "crew" },
];

let world: World;
let admin: Person;
let ada: Person;
/** Ids of what the steps have made. */
const made: Record<string, string> = {};
/** Secrets, and what came to be one on the way. */
const told: string[] = Object.values(secrets);

async function take({ who, route, of, makes, body, form }: Step) {
  const [method, pattern] = route.split(" ") as [string, string];
  const tokens = { stranger: undefined, admin: admin.token, ada: ada.token, provider: secrets.provisioning };
  const token = tokens[who];
  const path = pattern.replaceAll(/:([a-z_]+)/g, (_, name: string) => made[name === "id" ? (of ?? "") : name] ?? "");
  const answer = await world.call<Record<string, string>>(path, {
    ...(body ? { json: body(made) } : {}),
    ...(form ? { body: form() } : {}),
    ...(token === undefined ? {} : { as: token }),
    method,
  });
  if (makes && answer.body["id"]) made[makes] = answer.body["id"];
  told.push(
    ...[answer.body["api_key"], answer.body["token"], answer.body["secret"]].filter((text) => text !== undefined),
  );
  return answer;
}

beforeAll(async () => {
  world = await createKeyWorld({
    DEFAULT_USER_ROLE: "user",
    ENABLE_DIRECT_CONNECTIONS: "true",
    SCIM_ENABLED: "true",
    SCIM_TOKEN: secrets.provisioning,
    SCIM_AUTH_PROVIDER: "oidc",
  });
  admin = await world.admin();
  ada = await world.person({ password: secrets.signUp });
  made["user_id"] = ada.id;
  Object.assign(
    made,
    await storeReadFiles(world, admin),
    await storePromptThings(world, admin),
    await storeWebhookThings(world, ada),
  );
});
afterAll(() => world.close());

/** Everything that is stored but for what notes that somebody was here, and the rows in question themselves. */
async function everything(): Promise<string> {
  await world.settled();
  const { rows } = await world.client.execute(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('audit_events', 'sessions', 'sign_in_failures', 'sign_in_networks', 'stamps')",
  );
  const tables = await Promise.all(
    rows.map(async ({ name }) => [name, (await world.client.execute(`SELECT * FROM "${String(name)}"`)).rows]),
  );
  return JSON.stringify(tables, (key, value: unknown) => (key === "last_active_at" ? 0 : value));
}

describe("every change", () => {
  test.each(steps.map((step, index) => [index, step.route, step] as const))(
    "%i: %s is stored with its audit row, or not at all",
    async (_index, _route, step) => {
      const before = await everything();
      const known = new Set((await world.db.select().from(auditEvents)).map((row) => row.id));
      await world.client.execute(
        "CREATE TRIGGER full BEFORE INSERT ON audit_events BEGIN SELECT RAISE(ABORT, 'the log is full'); END",
      );
      expect((await take(step)).status).toBe(500);
      const after = await everything();
      await world.client.execute("DROP TRIGGER full");
      expect(after).toBe(before);

      const { status, body } = await take(step);
      expect([status < 300, body]).toEqual([true, body]);
      await world.settled();
      expect(await everything()).not.toBe(before);
      const rows = (await world.db.select().from(auditEvents)).filter((row) => !known.has(row.id));
      expect(rows.map((row) => row.action)).toEqual(step.actions);
      expect(new Set(rows.map((row) => row.requestId)).size).toBe(1);
    },
  );

  test("no secret is in any row, nor the hash of one", async () => {
    const rows = JSON.stringify(await world.db.select().from(auditEvents));
    const { rows: passwords } = await world.client.execute("SELECT hash FROM passwords");
    const hashes = passwords.map((row) => String(row["hash"]));
    expect(told.length).toBeGreaterThan(Object.keys(secrets).length + 4);
    for (const secret of [...told, ...hashes, admin.token, ada.token]) expect(rows).not.toContain(secret);
  });

  test("each is told in a sentence of its own, with names and in words", async () => {
    const events: AuditEvent[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: { body: AuditPage } = await world.call(`/api/v1/audit?limit=100${cursor && `&cursor=${cursor}`}`, {
        as: admin,
      });
      events.push(...page.body.events);
      cursor = page.body.next_cursor;
    }
    expect(events.length).toBeGreaterThan(80);
    const titles = new Map(Object.entries(definitions).map(([name, { title }]) => [name, title]));
    const { oddSentences } = (await import(pageWords)) as PageWords;
    expect(oddSentences(events, titles)).toEqual([]);
  });

  test("no route that changes something is left out here", () => {
    const known = new Set(steps.map((step) => step.route.replace(/\?.*/, "")));
    const unknown = declaredRoutes(createRouters())
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !route.startsWith("GET "))
      .filter((route) => !known.has(route) && !elsewhere.some((pattern) => pattern.test(route)));
    expect(unknown).toEqual([]);
  });
});
