import { sql } from "drizzle-orm";
import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { askTask } from "./ask-task.ts";
import { addTags, distinctTags, selectTags } from "./conversations/tag-statements.ts";
import { announceTags } from "./conversations/tags.ts";
import { readList } from "./read-list.ts";
import { modelForTasks } from "./task-model.ts";

interface TagRequest {
  chatId: string;
  /** The model of the chat, used if no model is set for tasks. */
  modelId: string;
  answer: string;
}

/** Time limit for the model, milliseconds. */
const timeoutMs = 60_000;
/** How much of question and answer the model gets, in UTF-16 units. */
const shown = 2000;
/** How many of the person's tags the model may choose from: those of the most chats. */
const maxOffered = 60;
const maxGenerated = 3;
const maxLength = 40;

/**
 * Has a model choose tags after the first exchange of a chat, unless it has some. It delays nothing and never fails:
 * without a usable answer the chat has no tags.
 */
export async function generateTags(ctx: Context, request: TagRequest): Promise<void> {
  try {
    await generate(ctx, request);
  } catch (error) {
    ctx.log.info("a model wrote no tags", { chat_id: request.chatId, error });
  }
}

async function generate(ctx: Context, { chatId, modelId, answer }: TagRequest): Promise<void> {
  const { id: userId } = requireUser(ctx);
  const [[question], known] = await ctx.db.batch([
    ctx.db.all<{ text: string }>(sql`SELECT substr(content, 1, ${shown}) AS text FROM messages
      WHERE chat_id = ${chatId} AND user_id = ${userId} AND role = 'user'
        AND NOT EXISTS (SELECT 1 FROM chat_tags WHERE chat_id = ${chatId})
      ORDER BY number LIMIT 1`),
    ctx.db.all<{ name: string }>(sql`SELECT min(name) AS name FROM chat_tags WHERE user_id = ${userId}
      GROUP BY name COLLATE NOCASE ORDER BY count(*) DESC, name LIMIT ${maxOffered}`),
  ]);
  const model = question && (await modelForTasks(ctx, modelId));
  if (!model) return;
  const offered = known.map(({ name }) => name);
  const prompt = promptFor(question.text, answer.slice(0, shown), offered);
  const signal = AbortSignal.timeout(timeoutMs);
  const said = await askTask(ctx, model, { task: "tags_generation", prompt, chatId, signal });
  const names = readTags(said ?? "");
  if (names.length === 0) return;
  // A person may have chosen some meanwhile.
  const untagged = sql`NOT EXISTS (SELECT 1 FROM chat_tags t WHERE t.chat_id = c.id)`;
  const [added, rows] = await ctx.db.batch([
    addTags(ctx.db, { chatId, userId }, names, untagged),
    selectTags(ctx.db, chatId),
  ]);
  if (added.length > 0) announceTags(ctx, userId, chatId, rows);
}

function promptFor(question: string, answer: string, offered: readonly string[]): string {
  return `Choose one to ${maxGenerated} tags for the conversation below: its general subjects, which other conversations can have too, in one or two words each, in the language of the question. Take tags from the list where they fit. Reply with JSON alone: {"tags": ["..."]}

<tags>
${offered.join("\n")}
</tags>
<question>
${question}
</question>
<answer>
${answer.toWellFormed()}
</answer>`;
}

/** The tags in a model's answer; what is no tag, such as a sentence, is left out. */
export function readTags(answer: string): string[] {
  const names = readList(answer, "tags").map((tag) =>
    tag
      .replaceAll(/[\p{Cc}\s]+/gu, " ")
      .replace(/^[\s#]+/, "")
      .trim()
      .toWellFormed(),
  );
  return distinctTags(names.filter((name) => name !== "" && name.length <= maxLength)).slice(0, maxGenerated);
}
