import * as z from "zod";
import { requireAdmin } from "../../access.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { idParam } from "../schema.ts";
import { liftHold, listHolds, placeHold } from "./holds.ts";
import { legalHold, legalHoldList, newLegalHold } from "./schema.ts";

const base = "/api/v1/legal-holds";

const list = defineRoute({
  method: "get",
  path: base,
  summary: "All legal holds (system administrators)",
  responses: answers("The holds, newest first", legalHoldList),
});
const place = defineRoute({
  method: "post",
  path: base,
  summary: "Keep everything of a person or an organization until the hold is lifted (system administrators)",
  request: jsonBody(newLegalHold),
  responses: answers("The hold", legalHold),
});
const lift = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Lift a legal hold (system administrators)",
  request: { params: idParam },
  responses: answers("Lifted", z.literal(true)),
});

export function holdRoutes() {
  const router = createRouter({ requires: requireAdmin });
  router.openapi(list, async (c) => c.json({ holds: await listHolds(contextOf(c)) }, 200));
  router.openapi(place, async (c) => c.json(await placeHold(contextOf(c), c.req.valid("json")), 200));
  router.openapi(lift, async (c) => {
    await liftHold(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  return router;
}
