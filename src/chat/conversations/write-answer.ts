import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { cleanJson, cleanText } from "./clean-text.ts";
import type { MessageError, MessageState } from "./read-message.ts";
import { runSilence } from "./start-answer.ts";
import { shallowMerge } from "./write-messages.ts";

/** The message that a run writes. Nothing here touches a message that another run has taken over, or that has ended. */
export interface AnswerPlace {
  chatId: string;
  messageId: string;
  runId: string;
}

export interface AnswerText {
  content: string;
  reasoning: string;
}

export interface AnswerEnd extends AnswerText {
  state: Exclude<MessageState, "streaming">;
  error?: MessageError | undefined;
  usage?: Record<string, unknown> | undefined;
  /** Further keys of the message, such as sources. */
  extra?: Record<string, unknown> | undefined;
}

type Writing = Pick<Services, "db" | "now">;

const isMine = (place: AnswerPlace): SQL =>
  sql`chat_id = ${place.chatId} AND id = ${place.messageId} AND run_id = ${place.runId} AND state = 'streaming'`;

/**
 * Stores what has been written so far; also the run's sign of life.
 * @returns false when the message is no longer this run's: deleted, ended or taken over
 */
export async function writeProgress(services: Writing, place: AnswerPlace, text: AnswerText): Promise<boolean> {
  const { rowsAffected } = await services.db.run(sql`
    UPDATE messages SET content = ${cleanText(text.content)}, reasoning = ${cleanText(text.reasoning)}, updated_at = ${services.now()}
    WHERE ${isMine(place)}`);
  return rowsAffected > 0;
}

/** Ends the answer. @returns false when the message is no longer this run's */
export async function finishAnswer(services: Writing, place: AnswerPlace, end: AnswerEnd): Promise<boolean> {
  const now = services.now();
  const [written] = await services.db.batch([
    services.db.run(sql`
      UPDATE messages SET content = ${cleanText(end.content)}, reasoning = ${cleanText(end.reasoning)}, state = ${end.state},
        error = ${end.error ? cleanJson(end.error) : null}, usage = ${end.usage ? cleanJson(end.usage) : null},
        extra = ${shallowMerge(sql`extra`, sql`${cleanJson(end.extra ?? {})}`)}, updated_at = ${now}
      WHERE ${isMine(place)}`),
    services.db.run(sql`UPDATE chats SET updated_at = ${now} WHERE id = ${place.chatId} AND updated_at < ${now}`),
  ]);
  return written.rowsAffected > 0;
}

export interface InterruptedAnswer extends AnswerPlace, AnswerText {
  userId: string;
}

/** Ends a run's answer that nobody writes any more; its text stays. Undefined when it had ended. */
export async function interruptAnswer(services: Writing, place: AnswerPlace): Promise<InterruptedAnswer | undefined> {
  const [interrupted] = await interrupt(services, isMine(place));
  return interrupted;
}

/** Ends all answers whose runs have given no sign of life for two minutes; for the sweeper. */
export async function interruptSilent(services: Writing): Promise<InterruptedAnswer[]> {
  return interrupt(services, sql`state = 'streaming' AND updated_at < ${services.now() - runSilence}`);
}

interface InterruptedRow {
  user_id: string;
  chat_id: string;
  id: string;
  run_id: string;
  content: string;
  reasoning: string;
}

async function interrupt(services: Writing, which: SQL): Promise<InterruptedAnswer[]> {
  const rows = await services.db.all<InterruptedRow>(sql`
    UPDATE messages SET state = 'interrupted', updated_at = ${services.now()} WHERE ${which}
    RETURNING user_id, chat_id, id, run_id, content, reasoning`);
  return rows.map((row) => ({
    userId: row.user_id,
    chatId: row.chat_id,
    messageId: row.id,
    runId: row.run_id,
    content: row.content,
    reasoning: row.reasoning,
  }));
}
