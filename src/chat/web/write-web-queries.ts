import type { Context } from "../../context.ts";
import { askTask } from "../ask-task.ts";
import { readQueries, talkOf } from "../retrieval/write-queries.ts";
import { modelForTasks } from "../task-model.ts";

/** Time limit for the model, milliseconds, because the answer waits. */
const timeoutMs = 15_000;
/** Each of them is asked of the provider. */
const maxQueries = 2;

/**
 * Asks a model what to search the web for. Undefined if it returns nothing usable or is too slow: the person's own words are
 * then used.
 * @param modelId of the chat, used if no task model is set
 */
export async function writeWebQueries(
  ctx: Context,
  modelId: string,
  messages: readonly unknown[],
  signal: AbortSignal,
): Promise<string[] | undefined> {
  if (!ctx.settings.ENABLE_SEARCH_QUERY_GENERATION) return undefined;
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const model = await modelForTasks(ctx, modelId);
    if (!model) return undefined;
    const today = new Date(ctx.now() * 1000).toISOString().slice(0, 10);
    const prompt = promptFor(messages, today);
    const said = await askTask(ctx, model, { task: "query_generation", prompt, signal: until });
    return said === undefined ? undefined : readQueries(said)?.slice(0, maxQueries);
  } catch (error) {
    if (!signal.aborted) ctx.log.info("a model wrote no queries for the web", { model: modelId, error });
    return undefined;
  }
}

function promptFor(messages: readonly unknown[], today: string): string {
  return `Below is a conversation. Its last question will be answered with the help of web pages. Write down what to enter into a search engine: one or ${maxQueries} short queries that make sense without the conversation, in the language of the question unless pages in another one are likely to be better. Leave out names, numbers and other things about the person that the search does not need. Today is ${today}. Reply with JSON alone: {"queries": ["..."]}

${talkOf(messages)}`;
}
