import { createApp } from "../src/app.ts";
import { createRouters } from "../src/compose/routes.ts";
import { sweep } from "../src/compose/sweep.ts";
import { withoutBase } from "../src/http/base-path.ts";
import { runJobs } from "../src/jobs/run-jobs.ts";
import { consoleLog } from "../src/lib/log.ts";
import type { Env } from "./env.ts";
import { isProbe, outsideBase } from "./outside-base.ts";
import { findPackedFile } from "./packed-file.ts";
import { isPage, placePage } from "./place-page.ts";
import type { WakeMessage } from "./ports/job-queue.ts";
import { servicesOf } from "./services.ts";

export { ChannelHub } from "./channels/channel-hub.ts";
export { OpenDirectory } from "./session/open-directory.ts";
export { SessionCoordinator } from "./session/session-coordinator.ts";
export { StatementGate } from "./database/statement-gate.ts";

const app = createApp(createRouters());

/**
 * Addresses with the paths that wrangler.toml lists as `run_worker_first`. Some are only where APIs are looked for by a wrong base
 * address: they must be 404, for a client takes the UI's page for success.
 */
const servicePaths =
  /^[a-z]+:\/\/[^/]+\/+(?:(?:api|localmodel|ollama|openai|oauth|scim|v1|v2)\/|(?:health|docs|Users|Groups|Schemas|ResourceTypes|ServiceProviderConfig)(?:[/?]|$)|(?:ready|metrics|openapi\.json)(?:\?|$))/;

/** However it is spelled: a path with dots, escapes or more slashes must not be answered with the UI's page either. */
function isService(address: string): boolean {
  if (servicePaths.test(address)) return true;
  const { origin, pathname } = new URL(address);
  try {
    return servicePaths.test(origin + decodeURI(pathname));
  } catch {
    return false;
  }
}

/**
 * A file of the UI, or its page for the addresses inside it. On the edge files are served without a Worker; on one machine
 * everything comes here. A file that is gone must be 404: the page in its place would be kept as that file for a year.
 */
async function serveUi(request: Request, env: Env, base: string): Promise<Response> {
  const packed = await findPackedFile(request, env.ASSETS);
  if (packed) return packed;
  const file = await env.ASSETS.fetch(request);
  const { pathname } = new URL(request.url);
  const isAddress = (request.method === "GET" || request.method === "HEAD") && !/\.[^/]*$/.test(pathname);
  if (file.status !== 404) return isPage(file) ? placePage(file, base) : file;
  // Its body stays behind: no GET with one can be made.
  if (isAddress)
    return placePage(
      await env.ASSETS.fetch(new URL("/", request.url), { method: request.method, headers: request.headers }),
      base,
    );
  return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
}

export default {
  async fetch(asked, env, execution) {
    const base = env.BASE_PATH?.trim() ?? "";
    const address = base === "" || isProbe(asked.url) ? asked.url : withoutBase(asked.url, base);
    if (address === undefined) return outsideBase(asked.url, base);
    const request = address === asked.url ? asked : new Request(address, asked);
    if (!isService(request.url)) return serveUi(request, env, base);
    let services;
    try {
      services = servicesOf(env, (work) => execution.waitUntil(work), { isRequest: true });
    } catch (error) {
      // A wrong or missing variable: say which one where the operator looks, and serve nothing.
      consoleLog.error("the service cannot start", { error });
      return Response.json({ status: false, reason: "misconfigured" }, { status: 503 });
    }
    return app.fetch(request, services);
  },

  /** Each message starts a round; the work itself is in the table of jobs. */
  async queue(batch, env, execution) {
    const services = servicesOf(env, (work) => execution.waitUntil(work));
    await Promise.all(batch.messages.map(({ body }) => runJobs(services, body.kind)));
  },

  async scheduled(_event, env, execution) {
    await sweep(servicesOf(env, (work) => execution.waitUntil(work)));
  },
} satisfies ExportedHandler<Env, WakeMessage>;
