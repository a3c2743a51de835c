import * as z from "zod";
import { answers } from "../http/json-route.ts";
import { createRouter, defineRoute } from "../http/routes.ts";
import { operatorGate } from "../people/operator/operator-gate.ts";
import { openCalls } from "../usage/open-calls.ts";

const work = defineRoute({
  method: "get",
  path: "/api/v1/operator/work",
  summary: "What a stop would interrupt",
  responses: answers(
    "Numbers of what is under way",
    z.object({
      /** Calls of models that have begun and not ended. */
      model_calls: z.number().int(),
    }),
  ),
});

/** For the launcher, which waits for answers to end before it stops. */
export function workRoutes() {
  const router = createRouter({ gate: operatorGate() });
  router.openapi(work, (c) => c.json({ model_calls: openCalls(c.env.environment) }, 200));
  return router;
}
