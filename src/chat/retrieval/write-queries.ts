import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import { askTask } from "../ask-task.ts";
import { readList } from "../read-list.ts";
import { modelForTasks } from "../task-model.ts";

/** Time limit for the model, milliseconds, because the answer waits. */
const timeoutMs = 15_000;
/** How much of the conversation a model is shown. */
const shownMessages = 6;
const shownLength = 1500;
const maxQueries = 3;
const maxQueryLength = 400;

/**
 * Asks a model for search queries for the last question. Undefined if it returns nothing usable or is too slow: the
 * question itself is then used.
 * @param modelId of the chat, used if no task model is set
 */
export async function writeQueries(
  ctx: Context,
  modelId: string,
  messages: readonly unknown[],
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const model = await modelForTasks(ctx, modelId);
    if (!model) return undefined;
    const task = { task: "query_generation", prompt: promptFor(messages), signal: until };
    const said = await askTask(ctx, model, task);
    return said === undefined ? undefined : readQueries(said);
  } catch (error) {
    if (!signal.aborted) ctx.log.info("a model wrote no search queries", { model: modelId, error });
    return undefined;
  }
}

/** The end of a conversation, for a model that writes queries. */
export function talkOf(messages: readonly unknown[]): string {
  const talk = messages.slice(-shownMessages).flatMap((message) => {
    if (!isRecord(message) || typeof message["content"] !== "string") return [];
    if (message["role"] !== "user" && message["role"] !== "assistant") return [];
    return [`<${message["role"]}>\n${shorten(message["content"])}\n</${message["role"]}>`];
  });
  return talk.join("\n");
}

function promptFor(messages: readonly unknown[]): string {
  return `Below is a conversation. Its last question will be answered from documents. Write down what to search for: one to ${maxQueries} short queries that make sense without the conversation, in the language of the documents as far as you can tell, otherwise in that of the question. Reply with JSON alone: {"queries": ["..."]}

${talkOf(messages)}`;
}

/** The actual question is at the beginning or end. */
function shorten(text: string): string {
  if (text.length <= shownLength) return text.toWellFormed();
  const half = shownLength / 2;
  return `${text.slice(0, half).toWellFormed()}\n...\n${text.slice(-half).toWellFormed()}`;
}

/** The queries in a model's answer. */
export function readQueries(answer: string): string[] | undefined {
  const queries = readList(answer, "queries")
    .map((query) => query.trim().slice(0, maxQueryLength).toWellFormed())
    .filter((query) => query !== "");
  return queries.length === 0 ? undefined : [...new Set(queries)].slice(0, maxQueries);
}
