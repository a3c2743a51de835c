import { createApp } from "../src/app.ts";
import { consoleLog } from "../src/lib/log.ts";
import type { Env } from "./env.ts";
import { createServices } from "./services.ts";
import { sweep } from "./sweep.ts";

export { SessionCoordinator } from "./session-coordinator.ts";
export { StatementGate } from "./statement-gate.ts";

const app = createApp();

export default {
  async fetch(request, env, execution) {
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
