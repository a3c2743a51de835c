import * as z from "zod";
import { requireAdmin, requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { largeBody } from "../http/body.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { contextOf, defineRoute, type Router } from "../http/routes.ts";
import { deletePlugin } from "./change-plugin.ts";
import { checkPlugin } from "./check-plugin.ts";
import { requireMaker } from "./create-plugin.ts";
import { requireEditor, type Family } from "./find-plugin.ts";
import {
  address,
  checked,
  checkedSource,
  loadedSource,
  pluginOverview,
  pluginUpdate,
  pluginIdParam,
  sourceText,
  valves,
  valvesSpec,
  versionList,
  versionParam,
} from "./schema.ts";
import { checkUpdate } from "./transfer/check-update.ts";
import { loadUrl } from "./transfer/load-url.ts";
import { getOverview } from "./use/overview.ts";
import {
  getUserValves,
  getUserValvesSpec,
  getValves,
  getValvesSpec,
  updateUserValves,
  updateValves,
} from "./valves/valves.ts";
import { getVersion, listVersions } from "./versions.ts";

/** Routes shared by functions and tools, with Open WebUI's paths and formats where it has them. */
export function addSharedRoutes(router: Router, family: Family): void {
  const base = `/api/v1/${family}s`;
  const one = `${base}/id/{id}`;
  const params = { params: pluginIdParam };

  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/load/url`,
      requires: requireAdmin,
      summary: "Load a source from a URL (administrators)",
      request: jsonBody(address),
      responses: answers("The source", loadedSource),
    }),
    async (c) => c.json(await loadUrl(contextOf(c), c.req.valid("json").url), 200),
  );
  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/check`,
      maxBody: largeBody,
      requires: (ctx) => requireMaker(ctx, family),
      summary: "Check a source: its type, functions and problems",
      request: jsonBody(checkedSource),
      responses: answers("Nothing is stored", checked),
    }),
    async (c) => {
      const { content, runner } = c.req.valid("json");
      return c.json(await checkPlugin(contextOf(c), family, content, runner), 200);
    },
  );
  router.openapi(
    defineRoute({
      method: "delete",
      path: `${one}/delete`,
      requires: (ctx) => requireEditor(ctx, family),
      summary: `Delete a ${family}`,
      request: params,
      responses: answers("Done", z.literal(true)),
    }),
    async (c) => {
      await deletePlugin(contextOf(c), family, c.req.valid("param").id);
      return c.json(true as const, 200);
    },
  );
  router.openapi(
    defineRoute({
      method: "get",
      path: `${one}/versions`,
      requires: (ctx) => requireEditor(ctx, family),
      summary: "Stored versions of the source",
      request: params,
      responses: answers("Newest first", versionList),
    }),
    async (c) => c.json(await listVersions(contextOf(c), family, c.req.valid("param").id), 200),
  );
  router.openapi(
    defineRoute({
      method: "get",
      path: `${one}/versions/{version}`,
      requires: (ctx) => requireEditor(ctx, family),
      summary: "Get the source of a version",
      request: { params: versionParam },
      responses: answers("The source", sourceText),
    }),
    async (c) => {
      const { id, version } = c.req.valid("param");
      return c.json(await getVersion(contextOf(c), family, id, version), 200);
    },
  );
  router.openapi(
    defineRoute({
      method: "get",
      path: `${one}/overview`,
      requires: (ctx) => requireEditor(ctx, family),
      summary: `What a ${family} may reach, what it reached, and its budget`,
      request: params,
      responses: answers("Sums by day and by host", pluginOverview),
    }),
    async (c) => c.json(await getOverview(contextOf(c), family, c.req.valid("param").id), 200),
  );
  router.openapi(
    defineRoute({
      method: "post",
      path: `${one}/check-update`,
      requires: requireAdmin,
      summary: `Compare a ${family} with the address that it was imported from (administrators)`,
      request: params,
      responses: answers("What is there now; nothing is stored", pluginUpdate),
    }),
    async (c) => c.json(await checkUpdate(contextOf(c), family, c.req.valid("param").id), 200),
  );
  addValvesRoutes(router, family);
}

function addValvesRoutes(router: Router, family: Family): void {
  const kinds = [
    {
      path: "valves",
      whose: "its",
      require: requireEditor,
      verbs: { get: getValves, spec: getValvesSpec, update: updateValves },
    },
    {
      path: "valves/user",
      whose: "the caller's own",
      require: requireUser,
      verbs: { get: getUserValves, spec: getUserValvesSpec, update: updateUserValves },
    },
  ] as const;
  for (const { path, whose, require, verbs } of kinds) {
    const at = `/api/v1/${family}s/id/{id}/${path}`;
    const requires = (ctx: Context) => require(ctx, family);
    const params = { params: pluginIdParam };
    router.openapi(
      defineRoute({
        method: "get",
        path: at,
        requires,
        summary: `The values that are set in ${whose} valves`,
        request: params,
        responses: answers("Missing values have their default", valves),
      }),
      async (c) => c.json(await verbs.get(contextOf(c), family, c.req.valid("param").id), 200),
    );
    router.openapi(
      defineRoute({
        method: "get",
        path: `${at}/spec`,
        requires,
        summary: `JSON Schema of ${whose} valves`,
        request: params,
        responses: answers("Null if it has no valves", valvesSpec),
      }),
      async (c) => c.json(await verbs.spec(contextOf(c), family, c.req.valid("param").id), 200),
    );
    router.openapi(
      defineRoute({
        method: "post",
        path: `${at}/update`,
        requires,
        summary: `Update ${whose} valves: only the fields in the body change; null restores the default`,
        request: { ...params, ...jsonBody(valves) },
        responses: answers("The values that are set", valves),
      }),
      async (c) => c.json(await verbs.update(contextOf(c), family, c.req.valid("param").id, c.req.valid("json")), 200),
    );
  }
}
