import type { ResultSet } from "@libsql/client";
import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Services } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { cleanJson, cleanText } from "../../lib/clean-text.ts";
import type { MessageError, MessageState } from "./read-stored-message.ts";
import { shallowMerge } from "./write-messages.ts";

/**
 * The message that a run writes. Functions here never change a message that another run has taken over or that has
 * ended.
 */
export interface AnswerPlace {
  chatId: string;
  messageId: string;
  runId: string;
}

export interface AnswerText {
  content: string;
  reasoning: string;
}

/** One stored step: the text since the previous step. */
export interface AnswerStep extends AnswerText {
  /** Counts from 1; a step is stored once, however often it is retried. */
  number: number;
  /** The text replaces the stored one instead of being appended. */
  isWhole: boolean;
}

/** A notice written in the transaction that ends an answer. */
export interface EndNotice {
  /**
   * @param ends true for the row exactly when the answer ends now
   * @param text the final text, as SQL
   */
  statements(ends: SQL, text: SQL): BatchItem<"sqlite">[];
  /** Called when it is stored. */
  stored(): void;
}

export interface AnswerEnd {
  state: Exclude<MessageState, "streaming">;
  error?: MessageError | undefined;
  usage?: Record<string, unknown> | undefined;
  /** Further keys of the message, such as sources. */
  extra?: Record<string, unknown> | undefined;
  notice?: EndNotice | undefined;
}

export type Writing = Pick<Services, "db" | "now">;

/** SQL: the run still writes this message. */
export const isMine = (place: AnswerPlace): SQL =>
  sql`chat_id = ${place.chatId} AND id = ${place.messageId} AND run_id = ${place.runId} AND state = 'streaming'`;

/** The columns that a step changes. */
function stepInto(step: AnswerStep, now: number): SQL {
  const { number, reasoning } = step;
  return sql`content = ${contentAfter(step)}, reasoning = ${columnAfter(step, sql`reasoning`, reasoning)}, step = ${number}, updated_at = ${now}`;
}

const contentAfter = (step: AnswerStep): SQL => columnAfter(step, sql`content`, step.content);

function columnAfter({ number, isWhole }: AnswerStep, column: SQL, text: string): SQL {
  return sql`CASE WHEN step = ${number} THEN ${column} ELSE ${isWhole ? sql`${cleanText(text)}` : sql`${column} || ${cleanText(text)}`} END`;
}

const isNext = ({ number }: AnswerStep): SQL => sql`step IN (${number - 1}, ${number})`;

/**
 * Stores a step; also the run's sign of life.
 * @returns false when the message is no longer this run's: deleted, ended or taken over
 */
export async function writeProgress(services: Writing, place: AnswerPlace, step: AnswerStep): Promise<boolean> {
  const { rowsAffected } = await services.db.run(
    sql`UPDATE messages SET ${stepInto(step, services.now())} WHERE ${isMine(place)} AND ${isNext(step)}`,
  );
  return rowsAffected > 0;
}

/**
 * Settles the items of a message whose answer has ended: an open status is done, a running tool is no longer waited
 * for.
 * @param which the messages, before they have ended
 */
export function settleItems({ db, now }: Writing, which: SQL) {
  return db.run(sql`
    UPDATE message_items SET data = CASE kind WHEN 'status' THEN json_set(data, '$.done', json('true'))
      ELSE json_set(data, '$.state', 'error', '$.error', 'The answer ended before the tool did', '$.ended_at', ${now()}) END
    WHERE (chat_id, message_id) IN (SELECT chat_id, id FROM messages WHERE ${which})
      AND (kind = 'status' AND data->>'done' = 0 OR kind = 'tool' AND data->>'state' = 'running')`);
}

/**
 * Ends the answer. An error reported by an event stays if the end has none.
 * @param step what is not stored yet; undefined: the text stays as it is
 * @returns false if the message no longer belongs to this run
 */
export async function finishAnswer(
  services: Writing,
  place: AnswerPlace,
  end: AnswerEnd,
  step?: AnswerStep,
): Promise<boolean> {
  const now = services.now();
  const text = step ? sql`${stepInto(step, now)},` : sql``;
  const which = step ? sql`${isMine(place)} AND ${isNext(step)}` : isMine(place);
  const [, ...results] = await runBatch(services.db, [
    settleItems(services, which),
    ...noticeOf(end.notice, which, step),
    services.db.run(sql`UPDATE chats SET updated_at = ${now} WHERE id = ${place.chatId} AND updated_at < ${now}`),
    services.db.run(sql`
      UPDATE messages SET ${text} state = ${end.state},
        error = ${end.error ? cleanJson(end.error) : sql`error`}, usage = ${end.usage ? cleanJson(end.usage) : null},
        extra = ${shallowMerge(sql`extra`, sql`${cleanJson(end.extra ?? {})}`)}${step ? sql`` : sql`, updated_at = ${now}`}
      WHERE ${which}`),
  ]);
  const isWritten = (results.at(-1) as ResultSet).rowsAffected > 0;
  if (isWritten) end.notice?.stored();
  return isWritten;
}

/** Written before the answer ends, so that a repeated attempt after success has nothing to report. */
function noticeOf(notice: EndNotice | undefined, which: SQL, step: AnswerStep | undefined): BatchItem<"sqlite">[] {
  const text = step ? contentAfter(step) : sql`content`;
  return (
    notice?.statements(
      sql`EXISTS (SELECT 1 FROM messages WHERE ${which})`,
      sql`(SELECT ${text} FROM messages WHERE ${which})`,
    ) ?? []
  );
}
