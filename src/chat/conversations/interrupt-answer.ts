import { sql, type SQL } from "drizzle-orm";
import type { LiveEvent } from "../../shared/live-protocol.ts";
import { maxSilenceSeconds } from "./start-answer.ts";
import { type AnswerPlace, type AnswerText, isMine, settleItems, type Writing } from "./write-answer.ts";

export interface InterruptedAnswer extends AnswerPlace, AnswerText {
  userId: string;
}

/** Ends the answer of a dead run; its text stays. Undefined if it had already ended. */
export async function interruptAnswer(services: Writing, place: AnswerPlace): Promise<InterruptedAnswer | undefined> {
  const [interrupted] = await interrupt(services, isMine(place));
  return interrupted;
}

/** Ends all answers whose runs have given no sign of life for two minutes; for the sweeper. */
export async function interruptSilent(services: Writing): Promise<InterruptedAnswer[]> {
  return interrupt(services, sql`state = 'streaming' AND updated_at < ${services.now() - maxSilenceSeconds}`);
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
  const [, rows] = await services.db.batch([
    settleItems(services, which),
    services.db.all<InterruptedRow>(sql`
      UPDATE messages SET state = 'interrupted', updated_at = ${services.now()} WHERE ${which}
      RETURNING user_id, chat_id, id, run_id, content, reasoning`),
  ]);
  return rows.map((row) => ({
    userId: row.user_id,
    chatId: row.chat_id,
    messageId: row.id,
    runId: row.run_id,
    content: row.content,
    reasoning: row.reasoning,
  }));
}

/** What tabs are told about an answer whose run has died. */
export function interruptedEvent(answer: InterruptedAnswer): LiveEvent {
  const { chatId, messageId, runId, content, reasoning } = answer;
  const data = { done: true, state: "interrupted", content, reasoning, finish_reason: null };
  return { chat_id: chatId, message_id: messageId, run_id: runId, data: { type: "chat:completion", data } };
}
