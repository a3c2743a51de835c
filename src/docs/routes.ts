import type { OpenAPIHono } from "@hono/zod-openapi";
import { type AppEnvironment, createRouter, type Router } from "../http/routes.ts";

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Parley API</title>
    <link rel="stylesheet" href="swagger/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="swagger/swagger-ui-bundle.js"></script>
    <script src="swagger/start.js"></script>
  </body>
</html>
`;

/** `/docs` and `/openapi.json`, made from the route definitions; there only with `ENV=dev`. */
export function docsRoutes(app: OpenAPIHono<AppEnvironment>): Router {
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "An API key or a session token",
  });
  const isDev = (services: AppEnvironment["Bindings"]) => services.environment.ENV === "dev";
  let document: unknown;
  const router = createRouter({ access: "bare" });
  router.raw({ method: "get", path: "/openapi.json", hide: true, responses: {} }, (c) => {
    if (!isDev(c.env)) return c.notFound();
    document ??= app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "Parley",
        version: "0.1.0",
        description: "Chat and documents for teams: the same functions as the web UI.",
      },
      security: [{ bearer: [] }],
    });
    const base = c.env.environment.BASE_PATH;
    return c.json({ ...(document as object), ...(base ? { servers: [{ url: base }] } : {}) });
  });
  router.raw({ method: "get", path: "/docs", hide: true, responses: {} }, (c) =>
    isDev(c.env) ? c.html(page) : c.notFound(),
  );
  return router;
}
