import { and, eq, sql } from "drizzle-orm";
import type { Services } from "../context.ts";
import { JobFailure } from "../jobs/job-failure.ts";
import type { JobHandler, JobRun } from "../jobs/job-handler.ts";
import { retryWrite } from "../jobs/retry-write.ts";
import { jobs } from "../jobs/tables.ts";
import { isRecord, tryParseJson } from "../lib/json.ts";
import { serviceContext } from "../people/auth/service-context.ts";
import type { Letter } from "./compose-message.ts";
import { MailFailure } from "./mail-failure.ts";
import { openMailServer } from "./mail-server.ts";
import { sendLetter } from "./send-letter.ts";
import { mailMessages } from "./tables.ts";

/** Milliseconds from one attempt to the next; after the last one it is the same pause until the mail is of no use. */
const pausesMs = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000] as const;

/**
 * Sends an e-mail: the job's subject is its id. One attempt each time it is due, counted before it begins: one that was broken off is
 * made again, with the same `Message-ID`.
 */
export const mailHandler: JobHandler = {
  async run(services, { subject }, run) {
    const [mail] = await services.db.select().from(mailMessages).where(eq(mailMessages.id, subject));
    if (mail?.state !== "pending") return;
    const now = Date.now();
    if (mail.expiresAt <= now)
      return settle(services, mail.id, "failed", "Its link had ended before it could be sent", run);
    const due = mail.nextAttemptAt ?? 0;
    if (due > now) throw later(due - now, "Not due yet");
    const begun = await services.db
      .update(mailMessages)
      .set({ attempts: mail.attempts + 1 })
      .where(and(eq(mailMessages.id, mail.id), eq(mailMessages.attempts, mail.attempts), run.held));
    if (begun.rowsAffected === 0) return;
    const failure = await attempt(services, mail, run.signal);
    if (!failure) return settle(services, mail.id, "sent", null, run);
    services.log.warn("an e-mail was not taken", { mail: mail.id, step: failure.step, reason: failure.message });
    if (failure.isFinal) return settle(services, mail.id, "failed", failure.message, run);
    const pause = pausesMs[Math.min(mail.attempts, pausesMs.length - 1)]!;
    await postpone(services, mail.id, Date.now() + pause, failure.message);
    throw later(pause, "Not taken");
  },
  failed: ({ db }, { subject }, _reason, condition) => [
    db
      .update(mailMessages)
      .set({
        state: "failed",
        sealedContent: "",
        nextAttemptAt: null,
        finishedAt: Date.now(),
        error: sql`coalesce(${mailMessages.error}, 'It could not be sent in time')`,
      })
      .where(sql`${mailMessages.id} = ${subject} AND ${mailMessages.state} = 'pending' AND ${condition}`),
  ],
};

async function attempt(
  services: Services,
  mail: typeof mailMessages.$inferSelect,
  signal: AbortSignal,
): Promise<MailFailure | undefined> {
  try {
    const letter = await openLetter(services, mail.sealedContent);
    const server = await openMailServer(await serviceContext(services));
    return (await sendLetter(services.connectMail, server, letter, { id: mail.id, signal })).failure;
  } catch (error) {
    if (error instanceof MailFailure) return error;
    throw error;
  }
}

/** @throws MailFailure where the keys have changed since it was written */
async function openLetter({ vault }: Services, sealed: string): Promise<Letter> {
  const content = await vault.open(sealed).catch(() => "");
  const letter = tryParseJson(content);
  if (!isRecord(letter))
    throw new MailFailure("settings", "The e-mail cannot be read with the present keys", { isFinal: true });
  return letter as unknown as Letter;
}

/** What was taken is not to be sent again because of the database. */
async function settle(
  { db }: Services,
  id: string,
  state: "sent" | "failed",
  error: string | null,
  { held }: Pick<JobRun, "held">,
): Promise<void> {
  await retryWrite(async () => {
    await db
      .update(mailMessages)
      .set({ state, error, sealedContent: "", nextAttemptAt: null, finishedAt: Date.now() })
      .where(
        sql`${mailMessages.id} = ${id} AND ${mailMessages.state} = 'pending' AND ${state === "sent" ? sql`TRUE` : held}`,
      );
  });
}

async function postpone({ db }: Services, id: string, nextAttemptAt: number, error: string): Promise<void> {
  await retryWrite(() =>
    db.batch([
      db.update(mailMessages).set({ nextAttemptAt, error }).where(eq(mailMessages.id, id)),
      // An answer is no attempt of the job that never came to an end.
      db
        .update(jobs)
        .set({ attempts: 0 })
        .where(and(eq(jobs.kind, "mail"), eq(jobs.subject, id))),
    ]),
  );
}

/** @param pause milliseconds */
function later(pause: number, why: string): JobFailure {
  return new JobFailure("internal_error", why, { retryAfter: Math.max(pause, 0) / 1000 });
}
