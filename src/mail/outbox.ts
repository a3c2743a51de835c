import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context, Services } from "../context.ts";
import { insertWhere } from "../db/insert-where.ts";
import { addJobStatement } from "../jobs/add-job.ts";
import { newId } from "../lib/id.ts";
import type { MailKind } from "./schema.ts";
import { mailMessages } from "./tables.ts";

export interface NewMail {
  kind: MailKind;
  /** An address, or SQL that finds it. */
  to: string;
  /** The account it is sent to; null where there is none yet. */
  userId: string | SQL | null;
  subject: string;
  text: string;
  /** When it is of no use any more, epoch milliseconds. */
  expiresAt: number;
  /** Has to hold: decided in the same transaction. */
  condition: SQL;
}

/** An e-mail and its job, for the batch of what it tells. Call `wakeMail` after the batch. */
export async function mailStatements(
  ctx: Pick<Context, "db" | "vault">,
  { kind, to, userId, subject, text, expiresAt, condition }: NewMail,
): Promise<BatchItem<"sqlite">[]> {
  const id = newId();
  const now = Date.now();
  const sealedContent = await ctx.vault.seal(JSON.stringify({ to, subject, text }));
  return [
    insertWhere(
      ctx.db,
      mailMessages,
      { id, kind, userId, sealedContent, state: "pending", nextAttemptAt: now, expiresAt, createdAt: now },
      condition,
    ),
    addJobStatement(ctx, {
      kind: "mail",
      subject: id,
      userId: null,
      deadline: expiresAt,
      condition: sql`EXISTS (SELECT 1 FROM ${mailMessages} WHERE id = ${id})`,
    }),
  ];
}

/** Starts what waits immediately. Nobody needs to wait for it. */
export function wakeMail(services: Pick<Services, "jobs" | "waitUntil">): void {
  services.waitUntil(services.jobs.wake("mail"));
}
