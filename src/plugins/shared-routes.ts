import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import * as z from "zod";
import { type AppEnvironment, contextOf } from "../http/routes.ts";
import { deletePlugin } from "./change-plugin.ts";
import { checkPlugin } from "./check-plugin.ts";
import type { Family } from "./find-plugin.ts";
import {
  address,
  checked,
  loadedSource,
  pluginIdParam,
  sourceText,
  valves,
  valvesSpec,
  versionList,
  versionParam,
} from "./schema.ts";
import { loadUrl } from "./transfer/load-url.ts";
import {
  getUserValves,
  getUserValvesSpec,
  getValves,
  getValvesSpec,
  updateUserValves,
  updateValves,
} from "./valves/valves.ts";
import { getVersion, listVersions } from "./versions.ts";

export const json = <S extends z.ZodType>(schema: S) => ({ content: { "application/json": { schema } } });
export const body = <S extends z.ZodType>(schema: S) => ({ body: { ...json(schema), required: true } });
export const answer = <S extends z.ZodType>(description: string, schema: S) => ({
  200: { description, ...json(schema) },
});

/** Routes that functions and tools have alike; paths and shapes are the peer's, and ours where it has none. */
export function addSharedRoutes(router: OpenAPIHono<AppEnvironment>, family: Family): void {
  const base = `/api/v1/${family}s`;
  const one = `${base}/id/{id}`;
  const params = { params: pluginIdParam };

  router.openapi(
    createRoute({
      method: "post",
      path: `${base}/load/url`,
      summary: "Load a source from a URL (administrators)",
      request: body(address),
      responses: answer("The source", loadedSource),
    }),
    async (c) => c.json(await loadUrl(contextOf(c), c.req.valid("json").url), 200),
  );
  router.openapi(
    createRoute({
      method: "post",
      path: `${base}/check`,
      summary: "Check a source: its type, functions and problems",
      request: body(sourceText),
      responses: answer("Nothing is stored", checked),
    }),
    async (c) => c.json(await checkPlugin(contextOf(c), family, c.req.valid("json").content), 200),
  );
  router.openapi(
    createRoute({
      method: "delete",
      path: `${one}/delete`,
      summary: `Delete a ${family}`,
      request: params,
      responses: answer("Done", z.literal(true)),
    }),
    async (c) => {
      await deletePlugin(contextOf(c), family, c.req.valid("param").id);
      return c.json(true as const, 200);
    },
  );
  router.openapi(
    createRoute({
      method: "get",
      path: `${one}/versions`,
      summary: "Stored versions of the source",
      request: params,
      responses: answer("Newest first", versionList),
    }),
    async (c) => c.json(await listVersions(contextOf(c), family, c.req.valid("param").id), 200),
  );
  router.openapi(
    createRoute({
      method: "get",
      path: `${one}/versions/{version}`,
      summary: "Get the source of a version",
      request: { params: versionParam },
      responses: answer("The source", sourceText),
    }),
    async (c) => {
      const { id, version } = c.req.valid("param");
      return c.json(await getVersion(contextOf(c), family, id, version), 200);
    },
  );
  addValvesRoutes(router, family);
}

function addValvesRoutes(router: OpenAPIHono<AppEnvironment>, family: Family): void {
  const kinds = [
    { path: "valves", whose: "its", verbs: { get: getValves, spec: getValvesSpec, update: updateValves } },
    {
      path: "valves/user",
      whose: "the caller's own",
      verbs: { get: getUserValves, spec: getUserValvesSpec, update: updateUserValves },
    },
  ] as const;
  for (const { path, whose, verbs } of kinds) {
    const at = `/api/v1/${family}s/id/{id}/${path}`;
    const params = { params: pluginIdParam };
    router.openapi(
      createRoute({
        method: "get",
        path: at,
        summary: `The values that are set in ${whose} valves`,
        request: params,
        responses: answer("Missing values have their default", valves),
      }),
      async (c) => c.json(await verbs.get(contextOf(c), family, c.req.valid("param").id), 200),
    );
    router.openapi(
      createRoute({
        method: "get",
        path: `${at}/spec`,
        summary: `JSON Schema of ${whose} valves`,
        request: params,
        responses: answer("Null if it has no valves", valvesSpec),
      }),
      async (c) => c.json(await verbs.spec(contextOf(c), family, c.req.valid("param").id), 200),
    );
    router.openapi(
      createRoute({
        method: "post",
        path: `${at}/update`,
        summary: `Update ${whose} valves: only the fields in the body change; null restores the default`,
        request: { ...params, ...body(valves) },
        responses: answer("The values that are set", valves),
      }),
      async (c) => c.json(await verbs.update(contextOf(c), family, c.req.valid("param").id, c.req.valid("json")), 200),
    );
  }
}
