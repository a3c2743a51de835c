import { requireAdmin } from "../../access.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { listBanners, setBanners } from "./banners.ts";
import { bannerList, banners } from "./schema.ts";

const path = "/api/v1/configs/banners";

const list = defineRoute({
  method: "get",
  path,
  summary: "The notices above every page; `/api/config` has them too",
  responses: answers("From top to bottom", bannerList),
});
const change = defineRoute({
  method: "post",
  path,
  requires: requireAdmin,
  summary: "Set all notices above every page (system administrators)",
  request: jsonBody(banners),
  responses: answers("From top to bottom", bannerList),
});

export function bannerRoutes() {
  const router = createRouter();
  router.openapi(list, async (c) => c.json(await listBanners(contextOf(c)), 200));
  router.openapi(change, async (c) => c.json(await setBanners(contextOf(c), c.req.valid("json").banners), 200));
  return router;
}
