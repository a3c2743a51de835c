import { sql } from "drizzle-orm";
import * as z from "zod";
import { noteOnMessage } from "../../feedback/rate-answer.ts";
import { feedbackData, feedbackMeta, feedbackSnapshot } from "../../feedback/schema.ts";
import { feedback } from "../../feedback/tables.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { defineKind, type ImportRun } from "../kind.ts";
import { givenNotes, homeOf, noOwner, optionalId, optionalTime, takenIn } from "../record-parts.ts";
import { anyRecord, sourceId } from "../schema.ts";

const feedbackRecord = anyRecord.extend({
  person_id: sourceId,
  type: z.string().min(1).max(40).default("rating"),
  data: feedbackData,
  meta: feedbackMeta.default({}),
  /** The conversation; it is kept only where `meta.share_chat` says that the person allows it. */
  snapshot: feedbackSnapshot.nullish(),
  /** The answer that it is about. */
  chat_id: optionalId,
  message_id: z.string().min(1).max(100).nullish(),
  created_at: optionalTime,
  updated_at: optionalTime,
  notes: givenNotes,
});
type FeedbackRecord = z.infer<typeof feedbackRecord>;

/** The answer here, with the rating that the person has given it already. */
interface RatedAnswer {
  chatId: string;
  messageId: string;
  known: string | null;
}

const modelsIn = ({ data }: FeedbackRecord): string[] =>
  [data.model_id, ...(data.sibling_model_ids ?? [])].filter(
    (id) => typeof id === "string" && id !== "" && id.length <= 300,
  ) as string[];

/** What people have said about answers. A rating whose answer is not here counts for its model only. */
export const feedbackKind = defineKind<FeedbackRecord>({
  shape: feedbackRecord,
  // Answers, and other ratings of them.
  readsStored: true,
  references: (record) => [
    { kind: "person", id: record.person_id },
    ...(record.chat_id ? [{ kind: "chat", id: record.chat_id }] : []),
    ...modelsIn(record).map((id) => ({ kind: "model", id })),
  ],
  taken: takenIn("feedback"),
  async plan(run, record, id) {
    const { ctx } = run;
    const userId = run.find("person", record.person_id);
    if (userId === undefined) return noOwner;
    const answer = await findAnswer(run, record, userId);
    const values = valuesOf(run, record, typeof answer === "string" ? undefined : answer);
    if (typeof answer === "object" && answer.known !== null) {
      const isNewer = sql`id = ${answer.known} AND updated_at < ${values.updatedAt}`;
      const counts = sql`(SELECT f.id FROM feedback f WHERE f.id = ${answer.known} AND f.updated_at < ${values.updatedAt})`;
      return {
        matched: answer.known,
        notes: ["The person has rated this answer before: the newer rating counts"],
        statements: [
          noteOnMessage(ctx, userId, sql`${answer.chatId}`, sql`${answer.messageId}`, values.data, counts),
          ctx.db.update(feedback).set(values).where(isNewer),
        ],
      };
    }
    return {
      notes: [...record.notes, ...(typeof answer === "string" ? [answer] : [])],
      statements: [
        ctx.db.insert(feedback).values({ ...values, id, userId, organizationId: homeOf(userId) }),
        ...(typeof answer === "object"
          ? [noteOnMessage(ctx, userId, sql`${answer.chatId}`, sql`${answer.messageId}`, values.data, sql`${id}`)]
          : []),
      ],
    };
  },
});

/** @returns why there is none, as a sentence for the report; undefined where the rating names none */
async function findAnswer(
  run: ImportRun,
  record: FeedbackRecord,
  userId: string,
): Promise<RatedAnswer | string | undefined> {
  if (!record.chat_id || !record.message_id) return undefined;
  const chatId = run.find("chat", record.chat_id);
  if (chatId === undefined) return "Its chat wasn't imported: it counts for the model only";
  const messageId = record.message_id;
  if (run.dryRun) return { chatId, messageId, known: null };
  const [found] = await run.ctx.db.all<{ known: string | null }>(sql`
    SELECT f.id AS known FROM chats c JOIN messages m ON m.chat_id = c.id AND m.id = ${messageId}
    LEFT JOIN feedback f ON f.user_id = c.user_id AND f.chat_id = c.id AND f.message_id = m.id
    WHERE c.id = ${chatId} AND c.user_id = ${userId}`);
  return found
    ? { chatId, messageId, ...found }
    : "Its answer isn't in a chat of this person: it counts for the model only";
}

function valuesOf(
  run: ImportRun,
  { data: given, meta, snapshot, ...record }: FeedbackRecord,
  answer: RatedAnswer | undefined,
) {
  const here = (model: string) => cleanText(run.find("model", model) ?? model);
  const { model_id: model, sibling_model_ids: siblings, ...said } = given;
  const data = {
    ...said,
    ...(model ? { model_id: here(model) } : {}),
    ...(siblings ? { sibling_model_ids: siblings.map(here) } : {}),
  };
  const { chat_id: _chat, message_id: _message, ...beside } = meta;
  const createdAt = record.created_at ?? run.ctx.now();
  return {
    type: record.type,
    rating: data.rating ?? null,
    modelId: data.model_id ?? null,
    chatId: answer?.chatId ?? null,
    messageId: answer?.messageId ?? null,
    data,
    meta: answer ? { ...beside, chat_id: answer.chatId, message_id: answer.messageId } : beside,
    snapshot: meta.share_chat === true ? (snapshot ?? null) : null,
    createdAt,
    updatedAt: record.updated_at ?? createdAt,
  };
}
