import { and, eq } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { readBytes } from "../../http/byte-reader.ts";
import { readBounded } from "../../http/read-bounded.ts";
import { JobFailure } from "../../jobs/job-failure.ts";
import type { Job, JobHandler, JobRun } from "../../jobs/job-handler.ts";
import { splitLines } from "../../lib/split-lines.ts";
import { realTimers, watchIdle } from "../../lib/timers.ts";
import { defaultBudgetMs } from "../../models/catalog/look-up-list.ts";
import { askAll } from "../../models/catalog/provider-lists.ts";
import { secretsOf, type Connection } from "../../models/connections/connection.ts";
import { getOpenConnection } from "../../models/connections/connections.ts";
import { headersOf } from "../../models/drivers/fetch-list.ts";
import { serviceContext } from "../../people/auth/service-context.ts";
import { networkFailure } from "../../upstream/errors/network-failure.ts";
import { upstreamErrorFromText } from "../../upstream/errors/read-upstream-error.ts";
import { redactSecrets } from "../../upstream/errors/redact-secrets.ts";
import { createPullProgress, type PullProgress } from "./pull-progress.ts";
import { localModelPulls } from "./tables.ts";

/** Longest line that a runtime may write, in UTF-16 units. */
const maxLineLength = 65_536;
/** A runtime that checks a large layer says nothing for minutes. */
const maxSilenceMs = 10 * 60_000;
const maxErrorLength = 65_536;

/**
 * Has a runtime fetch a model and writes down how far it is. Runtimes keep what they have of it: whenever the work is begun anew, by
 * whatever it ended, it goes on from there.
 */
export const pullHandler: JobHandler = {
  async run(services, job, run) {
    const [pull] = await services.db.select().from(localModelPulls).where(eq(localModelPulls.id, job.subject));
    if (pull?.state !== "running") return;
    const ctx = await serviceContext(services);
    const runtime = await getOpenConnection(ctx, pull.connectionId).catch((cause: unknown) => {
      throw new JobFailure("internal_error", "The runtime is no longer connected", { final: true, cause });
    });
    const { total } = await fetchModel(services, { job, run, runtime, model: pull.model }).catch(
      async (error: unknown) => {
        // Whoever looks on sees what it waits for.
        if (error instanceof JobFailure && !error.final)
          await services.db
            .update(localModelPulls)
            .set({ status: error.message.slice(0, 200), updatedAt: services.now() })
            .where(and(eq(localModelPulls.id, job.subject), eq(localModelPulls.state, "running"), run.held));
        throw error;
      },
    );
    await services.db
      .update(localModelPulls)
      .set({ state: "done", status: "success", completed: total, total, updatedAt: services.now() })
      .where(and(eq(localModelPulls.id, job.subject), run.held));
    // Whoever asks next is to find it.
    await askAll(ctx, [runtime], defaultBudgetMs).get(runtime.id);
  },
  failed: ({ db, now }, { subject }, { message }, condition) => [
    db
      .update(localModelPulls)
      .set({ state: "failed", error: message.slice(0, 1000), updatedAt: now() })
      .where(and(eq(localModelPulls.id, subject), eq(localModelPulls.state, "running"), condition)),
  ],
};

interface Fetching {
  job: Job;
  run: JobRun;
  runtime: Connection;
  model: string;
}

/** @throws JobFailure: for good where the runtime says that it cannot, for now where it is away */
async function fetchModel(services: Services, { job, run, runtime, model }: Fetching): Promise<PullProgress> {
  const silence = new AbortController();
  const watch = watchIdle(realTimers, maxSilenceMs, () => silence.abort(new Error("timed out")));
  const note = createPullProgress();
  try {
    const response = await services.outbound.trusted(`${runtime.baseUrl}/api/pull`, {
      method: "POST",
      headers: headersOf(runtime, { "content-type": "application/json", accept: "application/x-ndjson" }),
      // The first is what it is called now, the second what it was called before.
      body: JSON.stringify({ model, name: model, stream: true }),
      redirect: "manual",
      signal: AbortSignal.any([run.signal, silence.signal]),
    });
    if (!response.ok || !response.body) throw await refusal(response, runtime);
    for await (const line of splitLines(response.body, maxLineLength)) {
      watch.touch();
      const progress = note(line);
      if (progress.error !== undefined) throw ofRuntime(progress.error, runtime);
      if (progress.isDone) return progress;
      run.progress([stateOf(services, job, run, progress)], true);
    }
    throw new JobFailure("internal_error", "The runtime stopped the download", { retryAfter: 5 });
  } catch (error) {
    if (error instanceof JobFailure) throw error;
    throw new JobFailure("internal_error", networkFailure(error).message, { cause: error });
  } finally {
    watch.stop();
  }
}

/** Written along with the next sign of life. */
function stateOf(
  { db, now }: Services,
  { subject }: Job,
  { held }: JobRun,
  { status, completed, total }: PullProgress,
) {
  return db
    .update(localModelPulls)
    .set({ status, completed, total, updatedAt: now() })
    .where(and(eq(localModelPulls.id, subject), eq(localModelPulls.state, "running"), held));
}

/** The runtime's own word is final: what could be tried again it tries again itself. */
function ofRuntime(message: string, runtime: Connection): JobFailure {
  return new JobFailure("internal_error", redactSecrets(message, secretsOf(runtime)), { final: true });
}

async function refusal(response: Response, runtime: Connection): Promise<JobFailure> {
  const { text } = response.body ? await readBounded(readBytes(response.body), maxErrorLength) : { text: "" };
  const { message } = upstreamErrorFromText(text, { status: response.status, secrets: secretsOf(runtime) });
  const isPassing = response.status === 429 || response.status >= 502;
  return new JobFailure("internal_error", message, { final: !isPassing });
}
