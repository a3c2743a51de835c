import { and, eq, sql } from "drizzle-orm";
import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import type { ResolvedModel } from "../models/catalog/find-model.ts";
import { firstWords, isUntitled } from "../shared/chat-title.ts";
import { chats, messages } from "../stored-chats/tables.ts";
import { askTask } from "./ask-task.ts";
import { cleanTitle } from "./clean-title.ts";
import { announce, announceList } from "./conversations/announce-chats.ts";
import { modelForTasks } from "./task-model.ts";

export interface TitleRequest {
  chatId: string;
  /** The model of the chat, used if no model is set for titles. */
  modelId: string;
  answer: string;
}

/** Time limit for a title, milliseconds. */
const timeoutMs = 60_000;
/** How the request for a title begins. */
const instruction =
  "Name the conversation below: at most five words, in the language of the question, as a heading in a list. Reply with the name alone: no quotes, no full stop, no explanation.";
/** The first words of it, in lower case. */
const beginning = "name the conversation";
/** How much of question and answer the model gets, in UTF-16 units. */
const shown = 2000;

/**
 * Writes a title from the first exchange of a chat, if nobody has named it yet: with the model for titles, or the
 * chat's own. It delays nothing and never fails: without a usable title the first words of the question stay.
 */
export async function writeTitle(ctx: Context, request: TitleRequest): Promise<void> {
  try {
    await write(ctx, request);
  } catch (error) {
    ctx.log.warn("could not store a title", { chat_id: request.chatId, error });
  }
}

async function write(ctx: Context, { chatId, modelId, answer }: TitleRequest): Promise<void> {
  const user = requireUser(ctx);
  const [[chat], [question]] = await ctx.db.batch([
    ctx.db
      .select({ title: chats.title, chosen: chats.titleChosen })
      .from(chats)
      .where(and(eq(chats.id, chatId), eq(chats.userId, user.id))),
    ctx.db
      .select({ text: sql<string>`substr(${messages.content}, 1, ${shown})` })
      .from(messages)
      .where(and(eq(messages.chatId, chatId), eq(messages.userId, user.id), eq(messages.role, "user")))
      .orderBy(messages.number)
      .limit(1),
  ]);
  if (!chat || chat.chosen || !question) return;
  const provisional = firstWords(question.text);
  if (!isUntitled(chat.title) && chat.title !== provisional) return;
  const model = await modelForTasks(ctx, modelId);
  const title = (model && (await ask(ctx, model, chatId, question.text, answer))) ?? provisional;
  if (title === chat.title) return;
  const { rowsAffected } = await ctx.db
    .update(chats)
    .set({ title })
    .where(and(eq(chats.id, chatId), eq(chats.titleChosen, false), eq(chats.title, chat.title)));
  if (rowsAffected === 0) return;
  announce(ctx, user.id, { chat_id: chatId, data: { type: "chat:title", data: { title } } });
  announceList(ctx, user.id, chatId);
}

const repeatsInstruction = (title: string): boolean =>
  title.startsWith(beginning) || (title.split(" ").length > 3 && instruction.toLowerCase().includes(title));

/** The model's title for the chat. */
async function ask(
  ctx: Context,
  model: ResolvedModel,
  chatId: string,
  question: string,
  answer: string,
): Promise<string | undefined> {
  const prompt = `${instruction}

<question>
${question}
</question>
<answer>
${answer.slice(0, shown)}
</answer>`;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const said = await askTask(ctx, model, { task: "title_generation", prompt, chatId, signal });
    const title = said === undefined ? undefined : cleanTitle(said);
    // Very small models repeat what they are asked for.
    return title === undefined || repeatsInstruction(title.toLowerCase()) ? undefined : title;
  } catch (error) {
    ctx.log.info("a model did not write a title", { model: model.id, error });
    return undefined;
  }
}
