import { createApp } from "../src/app.ts";
import { consoleLog } from "../src/lib/log.ts";
import type { Env } from "./env.ts";
import { createServices } from "./services.ts";
import { sweep } from "./sweep.ts";

export { SessionCoordinator } from "./session-coordinator.ts";
export { StatementGate } from "./statement-gate.ts";

const app = createApp();

/** The paths that wrangler.toml lists as `run_worker_first`. */
const servicePaths = /^\/(api|localmodel|ollama|oauth)\/|^\/(health|docs)(\/|$)|^\/(ready|openapi\.json)$/;

export default {
  async fetch(request, env, execution) {
    // On the edge such paths never come here (wrangler.toml, run_worker_first); on one machine everything does.
    if (!servicePaths.test(new URL(request.url).pathname)) return env.ASSETS.fetch(request);
    let services;
    try {
      services = createServices(env, (work) => execution.waitUntil(work));
    } catch (error) {
      // A wrong or missing variable: say which one where the operator looks, and serve nothing.
      consoleLog.error("the service refuses to start", { error });
      return Response.json({ status: false, reason: "misconfigured" }, { status: 503 });
    }
    return app.fetch(request, services);
  },

  async scheduled(_event, env, execution) {
    await sweep(createServices(env, (work) => execution.waitUntil(work)));
  },
} satisfies ExportedHandler<Env>;
