import type * as z from "zod";
import { contextOf, createRouter, defineRoute, type Router } from "../http/routes.ts";
import { idParam } from "../people/schema.ts";
import { getDelivery, listDeliveries } from "./deliveries.ts";
import { changeEndpoint, getEndpoint } from "./endpoints.ts";
import { readStats } from "./read-stats.ts";
import { requireEndpoint } from "./require-endpoint.ts";
import {
  deliveryDetail,
  deliveryPage,
  deliveryQuery,
  endpointChange,
  endpointView,
  secretView,
  statsQuery,
  webhookStats,
  type WhoseEndpoint,
} from "./schema.ts";
import { getSecret, rotateSecret } from "./secrets.ts";
import { sendAgain } from "./send-again.ts";
import { sendTest } from "./send-test.ts";

const json = <T extends z.ZodType>(schema: T, description: string) => ({
  200: { description, content: { "application/json": { schema } } },
});

/** Outbound webhooks: that of the service, and one of each person, by the same calls. */
export function webhookRoutes() {
  return createRouter().include(routesOf("service", "administrators")).include(routesOf("own", "the caller's own"));
}

function routesOf(whose: WhoseEndpoint, who: string): Router {
  const router = createRouter({ requires: (ctx) => requireEndpoint(ctx, whose) });
  const base = `/api/v1/webhooks/${whose}`;
  const routes = routesAt(base, who);
  router.openapi(routes.get, async (c) => c.json(await getEndpoint(contextOf(c), whose), 200));
  router.openapi(routes.change, async (c) =>
    c.json(await changeEndpoint(contextOf(c), whose, c.req.valid("json")), 200),
  );
  router.openapi(routes.secret, async (c) => c.json(await getSecret(contextOf(c), whose), 200, secretHeaders));
  router.openapi(routes.rotate, async (c) => c.json(await rotateSecret(contextOf(c), whose), 200, secretHeaders));
  router.openapi(routes.test, async (c) => c.json(await sendTest(contextOf(c), whose), 200));
  router.openapi(routes.stats, async (c) => c.json(await readStats(contextOf(c), whose, c.req.valid("query")), 200));
  router.openapi(routes.list, async (c) =>
    c.json(await listDeliveries(contextOf(c), whose, c.req.valid("query")), 200),
  );
  router.openapi(routes.one, async (c) => c.json(await getDelivery(contextOf(c), whose, c.req.valid("param").id), 200));
  router.openapi(routes.again, async (c) => c.json(await sendAgain(contextOf(c), whose, c.req.valid("param").id), 200));
  return router;
}

const secretHeaders = { "cache-control": "no-store" };

/** All times are epoch milliseconds. */
function routesAt(base: string, who: string) {
  return {
    get: defineRoute({
      method: "get",
      path: base,
      summary: `The webhook endpoint and its state (${who})`,
      responses: json(endpointView, "The endpoint"),
    }),
    change: defineRoute({
      method: "put",
      path: base,
      summary: `Set the address, or switch webhooks on or off (${who})`,
      request: { body: { required: true, content: { "application/json": { schema: endpointChange } } } },
      responses: json(endpointView, "The updated endpoint"),
    }),
    secret: defineRoute({
      method: "get",
      path: `${base}/secret`,
      summary: `The secret that signs deliveries, as in Standard Webhooks (${who})`,
      responses: json(secretView, "The secret"),
    }),
    rotate: defineRoute({
      method: "post",
      path: `${base}/secret/rotate`,
      summary: `Create a new secret; deliveries are signed with both for one day (${who})`,
      responses: json(secretView, "The new secret"),
    }),
    test: defineRoute({
      method: "post",
      path: `${base}/test`,
      summary: `Send a test and return the result (${who})`,
      responses: json(deliveryDetail, "The delivery with its attempt"),
    }),
    stats: defineRoute({
      method: "get",
      path: `${base}/stats`,
      summary: `Results of attempts by hour for two days or by day for a month (${who})`,
      request: { query: statsQuery },
      responses: json(webhookStats, "Attempts by time"),
    }),
    list: defineRoute({
      method: "get",
      path: `${base}/deliveries`,
      summary: `Deliveries, sent and pending, newest first; kept for 30 days (${who})`,
      request: { query: deliveryQuery },
      responses: json(deliveryPage, "A page"),
    }),
    one: defineRoute({
      method: "get",
      path: `${base}/deliveries/{id}`,
      summary: `Get a delivery with each attempt: request, response, timing (${who})`,
      request: { params: idParam },
      responses: json(deliveryDetail, "The delivery"),
    }),
    again: defineRoute({
      method: "post",
      path: `${base}/deliveries/{id}/replay`,
      summary: `Resend a delivery with the same id; a pending one is sent now (${who})`,
      request: { params: idParam },
      responses: json(deliveryDetail, "The delivery"),
    }),
  };
}
