import { largeBody } from "../../http/body.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { requireEditor } from "../../plugins/find-plugin.ts";
import { pluginIdParam, trial, trialResult } from "../../plugins/schema.ts";
import { tryPlugin } from "./try-plugin.ts";

/** Test runs of plugins, with the same capabilities as a chat's functions. */
export function tryRoutes() {
  const router = createRouter();
  for (const family of ["function", "tool"] as const) {
    router.openapi(
      defineRoute({
        method: "post",
        path: `/api/v1/${family}s/id/{id}/try`,
        maxBody: largeBody,
        requires: (ctx) => requireEditor(ctx, family),
        summary: "Test run: call one of its functions and return the result with all events",
        request: { params: pluginIdParam, ...jsonBody(trial) },
        responses: answers("The result; nothing is stored or sent to people", trialResult),
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        return c.json(await tryPlugin(contextOf(c), family, id, c.req.valid("json"), c.req.raw.signal), 200);
      },
    );
  }
  return router;
}
