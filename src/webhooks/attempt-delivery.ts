import { eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Services } from "../context.ts";
import { insertWhere } from "../db/insert-where.ts";
import { AppError } from "../errors.ts";
import type { JobRun } from "../jobs/job-handler.ts";
import { retryWrite } from "../jobs/retry-write.ts";
import { jobs } from "../jobs/tables.ts";
import { disableStatements, type DisabledReason, readDisabled } from "./disable-endpoint.ts";
import type { FoundDelivery } from "./find-delivery.ts";
import { judgeAttempt, type Verdict } from "./judge-attempt.ts";
import { attemptCount, attemptDuration, deliveryCount } from "./metrics.ts";
import { openSecrets } from "./open-secrets.ts";
import { maxAttempts } from "./schedule.ts";
import { type AttemptOutcome, type AttemptRequest, noAnswer, sendAttempt } from "./send-attempt.ts";
import { renderBody, shapeOf } from "./shapes.ts";
import { signedHeaders } from "./signing.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "./tables.ts";

const agent = "Parley-Webhooks/1 (+https://www.standardwebhooks.com)";

/** The result of an attempt. */
export interface Attempted {
  /** When it is tried again, epoch milliseconds; null where it is over. */
  next: number | null;
  /** Why it was not taken, for the log. */
  reason: string;
  /** The endpoint was switched off by this attempt. */
  disabled: DisabledReason | undefined;
}

/**
 * Sends the delivery once and records the result.
 * @returns undefined if another worker has it, or it is no longer pending: then nothing was sent
 * @throws the signal's reason
 */
export async function attemptDelivery(
  services: Services,
  delivery: FoundDelivery,
  { signal, held }: Pick<JobRun, "signal" | "held">,
): Promise<Attempted | undefined> {
  const { endpoint } = delivery;
  const startedAt = Date.now();
  const number = delivery.attempts + 1;
  const { request, isSigned } = await signedRequest(services, delivery, startedAt);
  const isBegun = sql`EXISTS (SELECT 1 FROM ${webhookDeliveries} WHERE ${webhookDeliveries.id} = ${delivery.id}
    AND state = 'pending' AND attempts = ${delivery.attempts} AND ${held})`;
  const [, begun] = await services.db.batch([
    insertWhere(
      services.db,
      webhookAttempts,
      {
        deliveryId: delivery.id,
        number,
        startedAt,
        duration: 0,
        url: request.url,
        requestHeaders: request.headers,
        requestBody: request.body,
        error: "unfinished",
      },
      isBegun,
    ),
    services.db
      .update(webhookDeliveries)
      .set({ attempts: number })
      .where(sql`${eq(webhookDeliveries.id, delivery.id)} AND ${isBegun}`),
  ]);
  if (begun.rowsAffected === 0) return undefined;

  const outcome = isSigned
    ? await sendAttempt(services.outbound.guarded, request, { signal })
    : { ...noAnswer, duration: 0, error: "secret_unreadable" as const };
  const now = Date.now();
  const verdict = judgeAttempt({
    outcome,
    // Tests are not tried again: somebody sits there and looks.
    number: delivery.event === "test" ? maxAttempts : number,
    failingSince: endpoint.failingSince,
    now,
    random: Math.random(),
  });
  const statements = settleStatements(services, delivery, { number, startedAt, now, outcome, verdict });
  // Whatever happens to the database, what was sent is not to be sent again for that.
  const results = await retryWrite(() => services.db.batch(statements));
  noteAttempt(services, outcome, verdict);
  const disabled = verdict.state === "delivered" ? undefined : readDisabled(results.at(-1));
  return {
    next: verdict.state === "pending" && !disabled ? verdict.next : null,
    reason: outcome.error ?? `HTTP ${outcome.status}`,
    disabled,
  };
}

function noteAttempt({ environment }: Services, outcome: AttemptOutcome, verdict: Verdict): void {
  attemptCount.add(environment, [verdict.state === "delivered" ? "taken" : (outcome.error ?? "refused")]);
  attemptDuration.observe(environment, [], outcome.duration / 1000);
  if (verdict.state !== "pending") deliveryCount.add(environment, [verdict.state]);
}

/**
 * A delivery that is sent again by hand has the id that the receiver knows. One whose secret cannot be read is not signed, and must
 * not be sent.
 */
async function signedRequest(
  services: Services,
  delivery: FoundDelivery,
  at: number,
): Promise<{ request: AttemptRequest; isSigned: boolean }> {
  const { endpoint } = delivery;
  const secrets = await openSecrets(services, endpoint).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "conflict") return undefined;
    throw error;
  });
  const body = renderBody(shapeOf(endpoint.url), delivery.payload);
  const id = delivery.replayOf ?? delivery.id;
  const signature = secrets && signedHeaders(secrets, { id, at, body });
  const headers = { "content-type": "application/json", "user-agent": agent, ...signature };
  return { request: { url: endpoint.url, headers, body }, isSigned: signature !== undefined };
}

interface Settled {
  number: number;
  startedAt: number;
  now: number;
  outcome: AttemptOutcome;
  verdict: Verdict;
}

type Statements = [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]];

/** What is written of an attempt, and of what it means. The last one says whether the endpoint was switched off. */
function settleStatements(services: Services, delivery: FoundDelivery, settled: Settled): Statements {
  const { db } = services;
  const { number, startedAt, now, outcome, verdict } = settled;
  const { duration, status, headers, body, error } = outcome;
  const attempt = db
    .update(webhookAttempts)
    .set({ duration, status, responseHeaders: headers, responseBody: body, error })
    .where(sql`${eq(webhookAttempts.deliveryId, delivery.id)} AND ${eq(webhookAttempts.number, number)}`);
  // What was answered is no attempt of the job that never came to an end.
  const forward = db
    .update(jobs)
    .set({ attempts: 0 })
    .where(sql`${eq(jobs.kind, "deliver")} AND ${eq(jobs.subject, delivery.id)}`);
  // An address that has changed meanwhile is not to blame.
  const isSame = sql`${eq(webhookEndpoints.id, delivery.endpoint.id)} AND ${eq(webhookEndpoints.url, delivery.endpoint.url)}`;
  if (verdict.state === "delivered")
    return [
      attempt,
      db
        .update(webhookDeliveries)
        .set({ state: "delivered", nextAttemptAt: null, finishedAt: now })
        .where(eq(webhookDeliveries.id, delivery.id)),
      db.update(webhookEndpoints).set({ failingSince: null, pausedUntil: null }).where(isSame),
    ];
  const { state, next, pause, isGone } = verdict;
  // A test that fails is nobody's loss.
  const failing =
    delivery.event === "test"
      ? []
      : [
          db
            .update(webhookEndpoints)
            .set({
              failingSince: sql`coalesce(${webhookEndpoints.failingSince}, ${startedAt})`,
              ...(pause === null
                ? {}
                : { pausedUntil: sql`max(coalesce(${webhookEndpoints.pausedUntil}, 0), ${pause})` }),
            })
            .where(isSame),
        ];
  return [
    attempt,
    forward,
    db
      .update(webhookDeliveries)
      .set({ state, nextAttemptAt: next, finishedAt: state === "failed" ? now : null })
      .where(sql`${eq(webhookDeliveries.id, delivery.id)} AND ${webhookDeliveries.state} = 'pending'`),
    ...failing,
    ...disableStatements(services, delivery.endpoint, { isGone, isTest: delivery.event === "test", now }),
  ];
}
