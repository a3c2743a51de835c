import { runJobs } from "../src/jobs/run-jobs.ts";
import type { Env } from "./env.ts";
import type { WakeMessage } from "./job-queue.ts";
import { createServices } from "./services.ts";

/** Each message starts a round; the work itself is in the table of jobs. */
export async function consume(
  messages: MessageBatch<WakeMessage>,
  env: Env,
  execution: ExecutionContext,
): Promise<void> {
  const services = createServices(env, (work) => execution.waitUntil(work));
  await Promise.all(messages.messages.map(({ body }) => runJobs(services, body.kind)));
}
