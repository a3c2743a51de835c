import { afterEach, beforeEach, describe, expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { createRouters } from "../../src/compose/routes.ts";
import { definitions } from "../../src/compose/settings.ts";
import { declaredRoutes } from "../../src/http/route-table.ts";
import { defaultOrganizationId } from "../../src/people/organizations/default-organization.ts";
import { createWorld, type World } from "../world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const config = async (as?: { token: string } | string) =>
  (await world.call<Record<string, unknown> & { features: Record<string, boolean> }>("/api/config", as ? { as } : {}))
    .body;

describe("GET /api/config", () => {
  test("tells a stranger that nobody is here yet, and no longer once somebody is", async () => {
    expect(await config()).toMatchObject({
      onboarding: true,
      status: true,
      name: "Parley",
      version: packageFile.version,
      oauth: { providers: {} },
      features: { auth: true, enable_signup: true, enable_login_form: true },
    });
    await world.admin();
    expect(await config()).not.toHaveProperty("onboarding");
  });

  test("tells strangers nothing of what people see", async () => {
    await world.admin();
    expect(Object.keys(await config()).sort()).toEqual([
      "default_locale",
      "features",
      "name",
      "oauth",
      "status",
      "version",
    ]);
    expect(await config()).not.toHaveProperty("features.enable_password_change_form");
  });

  test("takes a credential that has ended, or is none, as none", async () => {
    const ada = await world.person();
    await world.client.execute("DELETE FROM sessions");
    for (const token of [ada.token, "nonsense", "sk-nonsense"])
      expect(await config(token)).not.toHaveProperty("permissions");
    for (const authorization of ["Bearer", "Basic YTpi"])
      expect((await world.request("/api/config", { headers: { authorization } })).status).toBe(200);
  });

  test("tells people who wait what the waiting page says, and no more", async () => {
    await world.client.execute(`INSERT INTO settings VALUES ('PENDING_USER_OVERLAY_TITLE', '"Welcome"', 0)`);
    const body = await config(await world.person({ role: "pending" }));
    expect(body).toMatchObject({ ui: { pending_user_overlay_title: "Welcome", pending_user_overlay_content: "" } });
    expect(body).not.toHaveProperty("permissions");
    expect(body).not.toHaveProperty("default_models");
  });

  test("tells people the default models and what everyone may do", async () => {
    await world.client.execute(`INSERT INTO settings VALUES ('DEFAULT_MODELS', '"small,large"', 0)`);
    await world.client.execute(
      `INSERT INTO settings VALUES ('DEFAULT_PROMPT_SUGGESTIONS', '["When is high water?"]', 0)`,
    );
    const body = await config(await world.person({ role: "admin" }));
    expect(body).toMatchObject({
      default_models: "small,large",
      default_prompt_suggestions: [{ title: ["When is high water?", ""], content: "When is high water?" }],
      permissions: { workspace: { models: false } },
      features: { enable_password_change_form: true, enable_notes: false },
    });
  });

  test("names only default and pinned models that the caller may use, and the organization's before everyone's", async () => {
    const admin = await world.admin();
    const ada = await world.person();
    await world.client.execute(`INSERT INTO settings VALUES ('DEFAULT_MODELS', '"small,secret"', 0)`);
    await world.client.execute(`INSERT INTO settings VALUES ('DEFAULT_PINNED_MODELS', '"secret, large"', 0)`);
    const made = await world.call("/api/v1/models/create", {
      as: admin,
      json: { id: "secret", base_model_id: null, name: "Secret", meta: {}, params: {}, is_active: false },
    });
    expect(made.status).toBe(200);
    expect(await config(ada)).toMatchObject({ default_models: "small", default_pinned_models: "large" });
    const change = (default_models: string[] | null) =>
      world.call(`/api/v1/organizations/${defaultOrganizationId}`, {
        as: admin,
        method: "PATCH",
        json: { default_models },
      });
    expect((await change(["secret", "medium"])).status).toBe(200);
    expect(await config(ada)).toMatchObject({ default_models: "medium" });
    await change([]);
    expect(await config(ada)).toMatchObject({ default_models: "" });
    await change(null);
    expect(await config(ada)).toMatchObject({ default_models: "small" });
  });

  test("takes two round trips: the caller, and whether somebody is here or which notices there are", async () => {
    const ada = await world.person();
    world.roundTrips.reset();
    await config();
    expect(world.roundTrips.count).toBe(2);
    world.roundTrips.reset();
    await config(ada);
    expect(world.roundTrips.count).toBe(2);
  });
});

describe("features", () => {
  const routes = declaredRoutes(createRouters()).map(({ method, path }) => `${method.toUpperCase()} ${path}`);

  /** What a feature needs to be there: routes, and for some a setting that follows it. */
  const needs: Record<string, { routes: RegExp; setting?: string }> = {
    enable_api_keys: { routes: /^POST \/api\/v1\/auths\/api_keys?$/, setting: "ENABLE_API_KEYS" },
    enable_password_change_form: {
      routes: /^POST \/api\/v1\/auths\/update\/password$/,
      setting: "ENABLE_PASSWORD_AUTH",
    },
    enable_login_form: { routes: /^POST \/api\/v1\/auths\/signin$/, setting: "ENABLE_LOGIN_FORM" },
    enable_password_auth: { routes: /^POST \/api\/v1\/auths\/signin$/, setting: "ENABLE_PASSWORD_AUTH" },
    enable_passkeys: { routes: /^POST \/api\/v1\/auths\/signin\/passkey$/, setting: "ENABLE_PASSKEYS" },
    enable_signup: { routes: /^POST \/api\/v1\/auths\/signup$/, setting: "ENABLE_SIGNUP" },
    enable_websocket: { routes: /^GET \/api\/v1\/events$/ },
    enable_plugins: { routes: /^GET \/api\/v1\/functions$/, setting: "ENABLE_PLUGINS" },
    enable_public_active_users_count: { routes: /^GET \/api\/usage$/, setting: "ENABLE_PUBLIC_ACTIVE_USERS_COUNT" },
    enable_channels: { routes: /^GET \/api\/v1\/channels\/?$/, setting: "ENABLE_CHANNELS" },
    enable_memories: { routes: /^GET \/api\/v1\/memories\/?$/, setting: "ENABLE_MEMORIES" },
    enable_folders: { routes: /^GET \/api\/v1\/folders\/?$/ },
    enable_user_webhooks: { routes: /^PUT \/api\/v1\/webhooks\/own$/, setting: "ENABLE_USER_WEBHOOKS" },
    enable_direct_connections: {
      routes: /^GET \/api\/v1\/users\/user\/connections$/,
      setting: "ENABLE_DIRECT_CONNECTIONS",
    },
    enable_version_update_check: { routes: /\/api\/version\/updates/ },
    enable_calendar: { routes: /\/calendars?\b/ },
    enable_automations: { routes: /\/automations?\b/ },
    enable_notes: { routes: /\/notes\b/ },
    enable_context_compaction: { routes: /\/chats\/:id\/compact\b/, setting: "ENABLE_CONTEXT_COMPACTION" },
    enable_web_search: { routes: /\/retrieval\/process\/web/, setting: "ENABLE_WEB_SEARCH" },
    enable_code_execution: { routes: /\/code\/execute/, setting: "ENABLE_CODE_EXECUTION" },
    enable_code_interpreter: { routes: /\/code\/execute/, setting: "ENABLE_CODE_INTERPRETER" },
    enable_image_generation: { routes: /\/api\/v1\/images\/generations/, setting: "ENABLE_IMAGE_GENERATION" },
    enable_autocomplete_generation: { routes: /\/tasks\/auto\/completions/ },
    enable_community_sharing: { routes: /\/community\b/ },
    enable_message_rating: { routes: /\/evaluations\b/, setting: "ENABLE_MESSAGE_RATING" },
    enable_user_status: { routes: /\/users\/user\/status/, setting: "ENABLE_USER_STATUS" },
    enable_admin_export: { routes: /\/utils\/db\/download|\/chats\/all\/db/ },
    enable_admin_chat_access: { routes: /\/chats\/list\/user\// },
    enable_admin_analytics: { routes: /\/analytics\b/ },
    enable_google_drive_integration: { routes: /\/google_drive/ },
    enable_onedrive_integration: { routes: /\/onedrive/ },
    enable_ldap: { routes: /\/auths\/ldap/ },
  };
  /** Those that only describe the page: forms of signing in, of invitations, of a forgotten password; previews. */
  const ofPages = [
    "auth",
    "auth_trusted_header",
    "enable_signup_password_confirmation",
    "enable_mail",
    "enable_password_reset",
    "enable_previews",
  ];

  test("say what has routes, and follow their settings", async () => {
    const { features } = await config(await world.person());
    expect(Object.keys(features).sort()).toEqual([...Object.keys(needs), ...ofPages].sort());
    for (const [name, { routes: wanted, setting }] of Object.entries(needs)) {
      const isThere = routes.some((route) => wanted.test(route));
      const follows = setting !== undefined && setting in definitions;
      // What has a setting has routes; its value is the next test's.
      expect([name, isThere]).toEqual([name, follows || features[name]]);
    }
  });

  const switched = [
    ["enable_previews", "ENABLE_PREVIEWS"] as const,
    ...Object.entries(needs).flatMap(([name, { setting = "" }]) =>
      setting in definitions ? [[name, setting] as const] : [],
    ),
  ];
  test.each(switched)("%s follows %s", async (name, setting) => {
    for (const value of ["true", "false"]) {
      // Without passwords there must be another way in.
      const signIn = { OPENID_PROVIDER_URL: "https://id.harbour.example", OAUTH_CLIENT_ID: "parley" };
      // Nothing is searched or made without a provider.
      const search = { WEB_SEARCH_ENGINE: "tavily", TAVILY_API_KEY: "key" };
      const media = { IMAGE_GENERATION_CONNECTION: "c", IMAGE_GENERATION_MODEL: "m" };
      const other = await createWorld({ environment: { ...signIn, ...search, ...media, [setting]: value } });
      const { body } = await other.call<{ features: Record<string, boolean> }>("/api/config", {
        as: await other.person(),
      });
      expect([value, body.features[name]]).toEqual([value, value === "true"]);
      await other.close();
    }
  });
});

test("GET /api/version tells the version without asking the database", async () => {
  world.roundTrips.reset();
  const { version } = packageFile;
  expect((await world.call("/api/version")).body).toEqual({ version, deployment_id: "", commit: null });
  world.services.commit = "0123456789abcdef0123456789abcdef01234567";
  expect((await world.call("/api/version")).body).toMatchObject({ commit: world.services.commit });
  expect(world.roundTrips.count).toBe(0);
});
