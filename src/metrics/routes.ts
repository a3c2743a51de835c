import { createRouter } from "../http/routes.ts";
import { chooseFormat } from "../lib/metrics/choose-format.ts";
import { metricFormats, renderMetrics } from "../lib/metrics/render-metrics.ts";
import { collectMetrics } from "./collect-metrics.ts";
import { requireMetricsToken } from "./require-metrics-token.ts";

/** `/metrics`, for Prometheus. Its token is no person's: no session and no API key opens it. */
export function metricRoutes() {
  const router = createRouter({ access: "bare" });
  router.raw(
    {
      method: "get",
      path: "/metrics",
      summary: "Numbers for Prometheus, as text or as OpenMetrics. Needs METRICS_TOKEN; 404 without it",
      responses: {
        200: {
          description: "All metrics",
          content: { [metricFormats.text]: {}, [metricFormats.openMetrics]: {} },
        },
      },
    },
    async (c) => {
      const token = c.env.environment.METRICS_TOKEN ?? "";
      if (token === "") return c.notFound();
      await requireMetricsToken(token, c.req.raw.headers);
      const format = chooseFormat(c.req.header("accept") ?? null);
      return c.body(renderMetrics(await collectMetrics(c.env), format), 200, {
        "content-type": metricFormats[format],
        "cache-control": "no-store",
        vary: "accept, authorization",
      });
    },
  );
  return router;
}
