import { requireAdmin } from "../access.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { changeSettings, getSettings } from "./change-settings.ts";
import { changeClientConfig, clientConfigs, getClientConfig } from "./client-configs.ts";
import { describeSettings } from "./describe-settings.ts";
import { getPublicConfig, version } from "./public-config.ts";
import {
  clientConfig,
  publicConfig,
  settingsChange,
  settingsSchema,
  settingValues,
  version as versionSchema,
} from "./schema.ts";

const config = defineRoute({
  method: "get",
  path: "/api/config",
  access: "public",
  summary: "The configuration for clients; with more details for signed-in callers",
  responses: answers("The configuration", publicConfig),
});

const versionRoute = defineRoute({
  method: "get",
  path: "/api/version",
  access: "bare",
  summary: "The version of the service and the commit it was built from",
  responses: answers("The version", versionSchema),
});

const get = defineRoute({
  method: "get",
  path: "/api/v1/auths/admin/config",
  requires: requireAdmin,
  summary: "The settings that can be changed at run time (administrators)",
  responses: answers("Current values by name", settingValues),
});

const change = defineRoute({
  method: "post",
  path: "/api/v1/auths/admin/config",
  requires: requireAdmin,
  summary: "Change the settings in the body; null restores the default (administrators)",
  request: jsonBody(settingsChange),
  responses: answers("Current values by name", settingValues),
});

const describe = defineRoute({
  method: "get",
  path: "/api/v1/auths/admin/config/schema",
  requires: requireAdmin,
  summary: "All settings with type, texts, default, value, and whether the environment sets them (administrators)",
  responses: answers("The settings", settingsSchema),
});

export function settingsRoutes() {
  const router = createRouter();

  router.openapi(config, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await getPublicConfig(contextOf(c)), 200);
  });

  router.openapi(versionRoute, (c) => c.json({ version, deployment_id: "", commit: c.env.commit }, 200));

  router.openapi(get, (c) => c.json(getSettings(contextOf(c)), 200));

  router.openapi(change, async (c) => c.json(await changeSettings(contextOf(c), c.req.valid("json")), 200));

  router.openapi(describe, (c) => c.json(describeSettings(contextOf(c)), 200));

  for (const config of clientConfigs) {
    const read = defineRoute({
      method: "get",
      path: config.path,
      requires: requireAdmin,
      summary: "These settings in Open WebUI's form (administrators)",
      responses: answers("The settings; secrets are empty", clientConfig),
    });
    const update = defineRoute({
      method: "post",
      path: `${config.path}/update`,
      requires: requireAdmin,
      summary: "Change these settings in Open WebUI's form (administrators)",
      request: jsonBody(clientConfig),
      responses: answers("All settings that can be changed, by name", clientConfig),
    });
    router.openapi(read, (c) => c.json(getClientConfig(contextOf(c), config), 200));
    router.openapi(update, async (c) =>
      c.json(await changeClientConfig(contextOf(c), config, c.req.valid("json")), 200),
    );
  }

  return router;
}
