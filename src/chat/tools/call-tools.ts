import type { Context } from "../../context.ts";
import type { FileView } from "../../documents/files/schema.ts";
import { cutText } from "../../lib/cut-text.ts";
import type { AttachedTool, ToolOutcome } from "../../plugins/tool.ts";
import type { ToolCall } from "../../upstream/answers/accumulate-tool-calls.ts";
import { isStored } from "../events/message-items.ts";
import { readArguments } from "./read-arguments.ts";
import { titleOf } from "./title-of.ts";
import type { ToolFile, ToolItem } from "./tool-item.ts";
import type { ToolTurn } from "./turn.ts";

/** So many calls of one round are made; a model that asks for more has lost its way, and is told so. */
const mostCalls = 32;
/** What people are shown of what a model wrote; it may be megabytes. */
const longestArguments = 100_000;

/** What the calls of one round are made with. */
export interface Calling {
  turn: ToolTurn;
  tools: readonly AttachedTool[];
  /** Id of the model. */
  model: string;
  /** What has been said so far. */
  messages: readonly Record<string, unknown>[];
  /** What tools have made for the person so far; files of this round are added. */
  files: Record<string, unknown>[];
  /** Counts from 0. */
  round: number;
  /** Place in the message's text, UTF-16 units. */
  at: number;
  signal: AbortSignal;
}

/** What came of the calls of one round. */
export interface Called {
  /** One `tool` message for each call, in order. */
  messages: Record<string, unknown>[];
  /** What the tools quote, where no message keeps it. */
  sources: Record<string, unknown>[];
}

/**
 * Calls the tools of one round, all at the same time, and gives their results as the model is told them. Whatever goes wrong
 * with a call is its result.
 * @throws the reason of the signal, at once when it fires
 */
export async function callTools(ctx: Context, calling: Calling, calls: readonly ToolCall[]): Promise<Called> {
  const results = await Promise.all(calls.map((call, index) => callOne(ctx, calling, call, index)));
  calling.signal.throwIfAborted();
  return {
    messages: results.map(({ told }, index) => ({ role: "tool", tool_call_id: calls[index]!.id, content: told })),
    sources: results.flatMap(({ sources }) => sources),
  };
}

async function callOne(
  ctx: Context,
  calling: Calling,
  call: ToolCall,
  index: number,
): Promise<{ told: string; sources: Record<string, unknown>[] }> {
  const { turn, tools, signal } = calling;
  const { name: said, arguments: written } = call.function;
  const tool = findTool(tools, said);
  const name = tool?.spec.name ?? cutText(said, 64);
  const started: ToolItem = {
    call_id: call.id,
    name,
    title: titleOf(name),
    source: tool?.source ?? null,
    arguments: cutText(written, longestArguments),
    state: "running",
    at: calling.at,
    round: calling.round,
    started_at: ctx.now(),
  };
  const shown = turn.steps?.put(started);
  const outcome = await (index < mostCalls
    ? letTool(ctx, calling, call, tool)
    : failure(`More than ${mostCalls} calls at once are not made`));
  const result = await tellOutcome(ctx, calling, call, outcome);
  // A call is shown as begun before it is shown as over.
  await shown;
  const { told, ...fields } = result;
  const isKept = turn.steps !== undefined;
  if (outcome.ok && isKept) await keepQuotes(ctx, calling, outcome);
  const ended = turn.steps?.put({ ...started, ...fields, ended_at: ctx.now() });
  if (signal.aborted) ctx.waitUntil(Promise.resolve(ended));
  else await ended;
  return { told, sources: outcome.ok && !isKept ? (outcome.sources ?? []) : [] };
}

/** What a tool quotes and makes goes where such things of plugins go. */
async function keepQuotes(ctx: Context, calling: Calling, { sources = [], files = [] }: ToolOutcome & { ok: true }) {
  const { turn } = calling;
  try {
    calling.files.push(...(await Promise.all(files.map((file) => keepBytes(turn, file)))));
    for (const source of sources) await turn.capabilities.emit({ type: "source", data: source });
    // The event takes the place of what was there.
    if (files.length > 0) await turn.capabilities.emit({ type: "files", data: { files: [...calling.files] } });
  } catch (error) {
    ctx.log.warn("sources of a tool were not kept", { error });
  }
}

/** A picture that came as a data URL, as a file of the chat: with several of them, the message would be too large. */
async function keepBytes({ chatId, capabilities }: ToolTurn, file: Record<string, unknown>) {
  const { url } = file;
  const [, type, base64] = (typeof url === "string" && /^data:(image\/[a-z]+);base64,(.*)$/s.exec(url)) || [];
  if (type === undefined || !isStored(chatId)) return file;
  const name = `picture.${type.slice("image/".length)}`;
  const kept = (await capabilities.request("file.create", { name, content_type: type, base64 })) as FileView;
  return { ...file, id: kept.id, url: kept.url, name, content_type: type, size: kept.meta.size };
}

/** Models write prefixes that they were trained with before names. */
function findTool(tools: readonly AttachedTool[], name: string): AttachedTool | undefined {
  const bare = name.replace(/^(?:functions?|tools?|default_api)[.:/]/, "");
  return tools.find(({ spec }) => spec.name === name) ?? tools.find(({ spec }) => spec.name === bare);
}

const failure = (message: string): Promise<ToolOutcome> => Promise.resolve({ ok: false, message });

/** Lets the tool do its work; ends with the signal, whatever the tool makes of it. */
async function letTool(
  ctx: Context,
  { turn, tools, model, messages, signal }: Calling,
  call: ToolCall,
  tool: AttachedTool | undefined,
): Promise<ToolOutcome> {
  if (!tool) {
    const names = tools.map(({ spec }) => spec.name).join(", ");
    return failure(`There is no tool ${JSON.stringify(cutText(call.function.name, 64))}. There are: ${names}`);
  }
  const read = readArguments(call.function.arguments, tool.spec.parameters);
  if (!read.ok) return read;
  const { chatId, messageId, sessionId, capabilities } = turn;
  let stop: () => void = () => undefined;
  const stopped = new Promise<ToolOutcome>((resolve) => {
    stop = () => resolve({ ok: false, message: "The call was stopped" });
  });
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    const scope = { callId: call.id, chatId, messageId, sessionId, model, messages, capabilities, signal };
    return await Promise.race([stopped, tool.call(read.args, scope)]);
  } catch (error) {
    // Tools do not throw; one that does is broken, and no reason to end the answer.
    ctx.log.error("a tool threw", { tool: tool.spec.name, source: tool.source.id, error });
    return { ok: false, message: "The tool failed" };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

type Told = Pick<ToolItem, "state" | "result" | "is_cut" | "file" | "error"> & { told: string };

/** The outcome as the model is told it, cut where it is too long; the whole is kept as a file then. */
async function tellOutcome(ctx: Context, { turn }: Calling, call: ToolCall, outcome: ToolOutcome): Promise<Told> {
  const limit = ctx.settings.TOOL_RESULT_LIMIT;
  if (!outcome.ok) {
    const message = cutText(outcome.message, limit);
    return { state: "error", error: message, told: `Error: ${message}` };
  }
  const { content } = outcome;
  if (content.trim() === "") return { state: "done", result: "", told: "(The tool gave no result)" };
  if (content.length <= limit) return { state: "done", result: content, told: content };
  const file: ToolFile | undefined = await turn.steps?.keep(call.id, call.function.name, content);
  const kept = file ? " The person can read the whole result, which is kept as a file." : "";
  const mark = `[Cut here: these are the first ${limit} of ${content.length} characters.${kept}]`;
  const result = `${cutText(content, limit)}\n\n${mark}`;
  return { state: "done", result, is_cut: true, ...(file ? { file } : {}), told: result };
}
