import * as z from "zod";
import { eventStream } from "../../http/event-stream.ts";
import { jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { executeCode, prepareCode, requireCodeRuns, streamCode } from "./execute-code.ts";
import { codeForm, codeRun } from "./schema.ts";

const execute = defineRoute({
  method: "post",
  path: "/api/v1/utils/code/execute",
  requires: requireCodeRuns,
  summary: "Run Python in an isolated process",
  description:
    "No network, no access to Parley, and limits of time and memory. What the code does wrong is in `error`. `files` are ids of files that the code may read by their names. With `stream`, output comes as server-sent events: `output`, and at last `end` with the whole run.",
  request: jsonBody(codeForm),
  responses: {
    200: {
      description: "What came of it",
      content: { "application/json": { schema: codeRun }, "text/event-stream": { schema: z.string() } },
    },
  },
});

/** Running code, at the path of Open WebUI. */
export function codeRunRoutes() {
  const router = createRouter({ maxBody: 1_000_000 });
  router.openapi(execute, async (c) => {
    const ctx = contextOf(c);
    const form = c.req.valid("json");
    const prepared = await prepareCode(ctx, form);
    if (form.stream === true) return eventStream(c.req.raw, (signal) => streamCode(ctx, prepared, signal)) as never;
    return c.json(await executeCode(ctx, prepared, c.req.raw.signal), 200);
  });
  return router;
}
