import * as z from "zod";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { operatorGate } from "../../people/operator/operator-gate.ts";
import { repair } from "./repair.ts";

const repairs = z.enum(["jobs", "objects", "passages", "vectors"]);

const route = defineRoute({
  method: "post",
  path: "/api/v1/operator/repairs",
  summary: "Mend what the doctor found in the database",
  request: jsonBody(
    z.object({ repairs: z.array(repairs).max(10), objects: z.array(z.string().max(1024)).max(10_000).default([]) }),
  ),
  responses: answers(
    "How many rows each has changed",
    z.object({ changed: z.partialRecord(repairs, z.number().int()) }),
  ),
});

/** For `npm run doctor -- --fix`. */
export function repairRoutes() {
  const router = createRouter({ gate: operatorGate() });
  router.openapi(route, async (c) => {
    const { repairs: asked, objects } = c.req.valid("json");
    return c.json({ changed: await repair(contextOf(c), asked, objects) }, 200);
  });
  return router;
}
