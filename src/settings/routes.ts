import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { changeSettings, getSettings } from "./change-settings.ts";
import { describeSettings } from "./describe-settings.ts";
import { getPublicConfig, version } from "./public-config.ts";
import { publicConfig, settingsChange, settingsSchema, settingValues, version as versionSchema } from "./schema.ts";

const config = defineRoute({
  method: "get",
  path: "/api/config",
  access: "public",
  summary: "What a client needs to know; more for those who are signed in",
  responses: { 200: { description: "The configuration", content: { "application/json": { schema: publicConfig } } } },
});

const versionRoute = defineRoute({
  method: "get",
  path: "/api/version",
  access: "bare",
  summary: "Which version runs here",
  responses: { 200: { description: "The version", content: { "application/json": { schema: versionSchema } } } },
});

const get = defineRoute({
  method: "get",
  path: "/api/v1/auths/admin/config",
  summary: "Settings that can be changed at run time (administrators)",
  responses: {
    200: { description: "Values in force by name", content: { "application/json": { schema: settingValues } } },
  },
});

const change = defineRoute({
  method: "post",
  path: "/api/v1/auths/admin/config",
  summary: "Change the settings that the body names (administrators); null takes one back to its default",
  request: { body: { required: true, content: { "application/json": { schema: settingsChange } } } },
  responses: {
    200: { description: "Values in force by name", content: { "application/json": { schema: settingValues } } },
  },
});

const describe = defineRoute({
  method: "get",
  path: "/api/v1/auths/admin/config/schema",
  summary:
    "Every setting with its kind, texts, default, value, and whether the environment has locked it (administrators)",
  responses: { 200: { description: "The settings", content: { "application/json": { schema: settingsSchema } } } },
});

export function settingsRoutes() {
  const router = createRouter();

  router.openapi(config, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await getPublicConfig(contextOf(c)), 200);
  });

  router.openapi(versionRoute, (c) => c.json({ version, deployment_id: "" }, 200));

  router.openapi(get, (c) => c.json(getSettings(contextOf(c)), 200));

  router.openapi(change, async (c) => c.json(await changeSettings(contextOf(c), c.req.valid("json")), 200));

  router.openapi(describe, (c) => c.json(describeSettings(contextOf(c)), 200));

  return router;
}
