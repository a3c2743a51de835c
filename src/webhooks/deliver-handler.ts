import { eq, sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { JobFailure } from "../jobs/job-failure.ts";
import type { Job, JobHandler, JobRun } from "../jobs/job-handler.ts";
import { retryWrite } from "../jobs/retry-write.ts";
import { serviceContext } from "../people/auth/service-context.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import { tellDisabled } from "./disable-endpoint.ts";
import { findDelivery, type FoundDelivery } from "./find-delivery.ts";
import { deliveryCount } from "./metrics.ts";
import { followServiceUrl } from "./service-endpoint.ts";
import { webhookDeliveries } from "./tables.ts";

/**
 * Sends a delivery: the job's subject is its id. One attempt each time it is due, recorded before it is sent and after
 * the response: an interrupted one is sent again with the same id.
 */
export const deliverHandler: JobHandler = {
  async run(services, job, run) {
    const delivery = await currentDelivery(services, job.subject);
    if (delivery?.state !== "pending") return;
    if (!isWanted(delivery)) return cancel(services, job, run);
    const now = Date.now();
    const due = Math.max(delivery.nextAttemptAt ?? 0, delivery.endpoint.pausedUntil ?? 0);
    if (due > now) throw later(due - now, "Not due yet");
    const done = await attemptDelivery(services, delivery, run);
    if (!done) return;
    if (done.disabled) await tellDisabled(services, delivery.endpoint, done.disabled);
    if (done.next !== null) throw later(done.next - Date.now(), `Not accepted: ${done.reason}`);
  },
  failed: ({ db }, { subject }, _reason, condition) => [
    db
      .update(webhookDeliveries)
      .set({ state: "failed", nextAttemptAt: null, finishedAt: Date.now() })
      .where(sql`${webhookDeliveries.id} = ${subject} AND ${webhookDeliveries.state} = 'pending' AND ${condition}`),
  ],
  async told({ environment }) {
    deliveryCount.add(environment, ["failed"]);
  },
};

/** The delivery with its endpoint; that of the service is where `WEBHOOK_URL` says now. */
async function currentDelivery(services: Services, id: string): Promise<FoundDelivery | undefined> {
  const { settings, db } = await serviceContext(services);
  const found = await findDelivery(services, id);
  if (found?.endpoint.userId !== null)
    return found && { ...found, isOwnerActive: found.isOwnerActive && settings.ENABLE_USER_WEBHOOKS };
  if (found.endpoint.url === settings.WEBHOOK_URL) return found;
  await db.batch([followServiceUrl(services, settings.WEBHOOK_URL)]);
  return findDelivery(services, id);
}

function isWanted({ endpoint, isOwnerActive }: FoundDelivery): boolean {
  return endpoint.isEnabled && endpoint.url !== "" && isOwnerActive;
}

async function cancel({ db, environment }: Services, { subject }: Job, { held }: JobRun): Promise<void> {
  await retryWrite(async () => {
    await db
      .update(webhookDeliveries)
      .set({ state: "cancelled", nextAttemptAt: null, finishedAt: Date.now() })
      .where(sql`${eq(webhookDeliveries.id, subject)} AND ${webhookDeliveries.state} = 'pending' AND ${held}`);
  });
  deliveryCount.add(environment, ["cancelled"]);
}

/** @param pause milliseconds */
function later(pause: number, why: string): JobFailure {
  return new JobFailure("internal_error", why, { retryAfter: Math.max(pause, 0) / 1000 });
}
