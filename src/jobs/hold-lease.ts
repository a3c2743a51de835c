import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Services } from "../context.ts";
import type { HeldJob } from "./claim-job.ts";
import { heartbeatMs, leaseMs } from "./limits.ts";

/** How soon progress is written, milliseconds. */
const progressIntervalMs = 400;

export interface Holding {
  /** Ends when the lease is lost or the deadline has come. */
  signal: AbortSignal;
  progress(statements: readonly BatchItem<"sqlite">[], isForward: boolean): void;
  /** No more signs of life; resolves when none is under way. */
  release(): Promise<void>;
}

/** Holds while the job is that runner's: for the conditions of what it writes. */
export function heldBy({ id, lease }: Pick<HeldJob, "id" | "lease">): SQL {
  return sql`EXISTS (SELECT 1 FROM jobs WHERE jobs.id = ${id} AND jobs.lease = ${lease})`;
}

/** Says again and again that the job is being done, and writes down how far it is. */
export function holdLease(services: Pick<Services, "db" | "log">, job: HeldJob): Holding {
  const ended = new AbortController();
  let pending: { statements: readonly BatchItem<"sqlite">[]; isForward: boolean } | undefined;
  let believedUntil = Date.now() + leaseMs;
  let lastBeat = Date.now();
  let isReleased = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let beating: Promise<void> = Promise.resolve();

  const beat = async () => {
    const now = Date.now();
    const said = pending;
    if (now >= job.deadline) return ended.abort(new Error("The deadline has passed"));
    if (!said && now - lastBeat < heartbeatMs) return;
    pending = undefined;
    const attempts = said?.isForward ? sql`0` : sql`attempts`;
    try {
      const [alive] = await services.db.batch([
        services.db.run(
          sql`UPDATE jobs SET lease_until = ${now + leaseMs}, attempts = ${attempts} WHERE id = ${job.id} AND lease = ${job.lease}`,
        ),
        ...(said?.statements ?? []),
      ]);
      if (alive.rowsAffected === 0) return ended.abort(new Error("Another worker has taken over the job"));
      lastBeat = now;
      believedUntil = now + leaseMs;
    } catch (error) {
      services.log.warn("could not extend the lease of a job", { job: job.id, kind: job.kind, error });
      if (Date.now() >= believedUntil) ended.abort(new Error("The lease has expired"));
    }
  };
  const plan = () => {
    if (isReleased || ended.signal.aborted) return;
    timer = setTimeout(() => {
      beating = beat().finally(plan);
    }, progressIntervalMs);
  };
  plan();
  return {
    signal: ended.signal,
    progress: (statements, isForward) => void (pending = { statements, isForward }),
    async release() {
      isReleased = true;
      clearTimeout(timer);
      await beating;
    },
  };
}
