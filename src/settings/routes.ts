import { createRoute } from "@hono/zod-openapi";
import { contextOf, createRouter } from "../http/routes.ts";
import { changeSettings, getSettings } from "./change-settings.ts";
import { describeSettings } from "./describe-settings.ts";
import { getPublicConfig, version } from "./public-config.ts";
import { publicConfig, settingsChange, settingsSchema, settingValues, version as versionSchema } from "./schema.ts";

const config = createRoute({
  method: "get",
  path: "/api/config",
  summary: "The configuration for clients; with more details for signed-in callers",
  responses: { 200: { description: "The configuration", content: { "application/json": { schema: publicConfig } } } },
});

const versionRoute = createRoute({
  method: "get",
  path: "/api/version",
  summary: "The version of the service",
  responses: { 200: { description: "The version", content: { "application/json": { schema: versionSchema } } } },
});

const get = createRoute({
  method: "get",
  path: "/api/v1/auths/admin/config",
  summary: "The settings that can be changed at run time (administrators)",
  responses: {
    200: { description: "Current values by name", content: { "application/json": { schema: settingValues } } },
  },
});

const change = createRoute({
  method: "post",
  path: "/api/v1/auths/admin/config",
  summary: "Change the settings in the body; null restores the default (administrators)",
  request: { body: { required: true, content: { "application/json": { schema: settingsChange } } } },
  responses: {
    200: { description: "Current values by name", content: { "application/json": { schema: settingValues } } },
  },
});

const describe = createRoute({
  method: "get",
  path: "/api/v1/auths/admin/config/schema",
  summary: "All settings with type, texts, default, value, and whether the environment sets them (administrators)",
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
