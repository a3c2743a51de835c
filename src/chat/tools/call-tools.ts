import type { Context } from "../../context.ts";
import type { FileView } from "../../documents/files/schema.ts";
import { cutText } from "../../lib/cut-text.ts";
import type { Span } from "../../lib/traces/span.ts";
import type { AttachedTool, ToolOutcome } from "../../plugins/tool.ts";
import type { ToolCall } from "../../upstream/answers/accumulate-tool-calls.ts";
import { isStored } from "../events/message-items.ts";
import { readArguments } from "./read-arguments.ts";
import { titleOf } from "./title-of.ts";
import type { ToolFile, ToolItem } from "./tool-item.ts";
import type { ToolTurn } from "./turn.ts";

/** Maximum number of calls per round; a model that asks for more is out of control, and is told so. */
const maxCalls = 32;
/** How much of a model's arguments is shown to people; they may be megabytes. */
const maxArgumentsLength = 100_000;

/** The context of the calls of one round. */
export interface Calling {
  turn: ToolTurn;
  tools: readonly AttachedTool[];
  /** Id of the model. */
  model: string;
  /** The messages so far. */
  messages: readonly Record<string, unknown>[];
  /** Files that tools have created for the person so far; those of this round are added. */
  files: Record<string, unknown>[];
  /** Counts from 0. */
  round: number;
  /** Position in the message's text, UTF-16 units. */
  at: number;
  signal: AbortSignal;
}

/** The results of the calls of one round. */
export interface Called {
  /** One `tool` message for each call, in order. */
  messages: Record<string, unknown>[];
  /** Sources from the tools, if no message stores them. */
  sources: Record<string, unknown>[];
}

/**
 * Executes the tool calls of one round in parallel, and returns their results for the model. A failure is the result of
 * its call.
 * @throws the reason of the signal, immediately when it fires
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
    arguments: cutText(written, maxArgumentsLength),
    state: "running",
    at: calling.at,
    round: calling.round,
    started_at: ctx.now(),
  };
  const shown = turn.steps?.put(started);
  const outcome = await (index < maxCalls
    ? letTool(ctx, calling, call, tool)
    : failure(`Too many calls at once: the limit is ${maxCalls}`));
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

/** Sources and files of a tool are handled like those of plugins. */
async function keepQuotes(ctx: Context, calling: Calling, { sources = [], files = [] }: ToolOutcome & { ok: true }) {
  const { turn } = calling;
  try {
    calling.files.push(...(await Promise.all(files.map((file) => keepBytes(turn, file)))));
    for (const source of sources) await turn.capabilities.emit({ type: "source", data: source });
    // The event takes the place of what was there.
    if (files.length > 0) await turn.capabilities.emit({ type: "files", data: { files: [...calling.files] } });
  } catch (error) {
    ctx.log.warn("could not store the sources of a tool", { error });
  }
}

/** Stores a picture from a data URL as a file of the chat: several of them would make the message too large. */
async function keepBytes({ chatId, capabilities }: ToolTurn, file: Record<string, unknown>) {
  const { url } = file;
  const [, type, base64] = (typeof url === "string" && /^data:(image\/[a-z]+);base64,(.*)$/s.exec(url)) || [];
  if (type === undefined || !isStored(chatId)) return file;
  const name = `picture.${type.slice("image/".length)}`;
  const kept = (await capabilities.request("file.create", { name, content_type: type, base64 })) as FileView;
  return { ...file, id: kept.id, url: kept.url, name, content_type: type, size: kept.meta.size };
}

/** Some models add prefixes from their training to names. */
function findTool(tools: readonly AttachedTool[], name: string): AttachedTool | undefined {
  const bare = name.replace(/^(?:functions?|tools?|default_api)[.:/]/, "");
  return tools.find(({ spec }) => spec.name === name) ?? tools.find(({ spec }) => spec.name === bare);
}

const failure = (message: string): Promise<ToolOutcome> => Promise.resolve({ ok: false, message });

/** Runs the tool; ends with the signal even if the tool ignores it. */
async function letTool(
  ctx: Context,
  { turn, tools, model, messages, signal }: Calling,
  call: ToolCall,
  tool: AttachedTool | undefined,
): Promise<ToolOutcome> {
  if (!tool) {
    const names = tools.map(({ spec }) => spec.name).join(", ");
    return failure(`No such tool: ${JSON.stringify(cutText(call.function.name, 64))}. Available tools: ${names}`);
  }
  const read = readArguments(call.function.arguments, tool.spec.parameters);
  if (!read.ok) return read;
  const span = startToolSpan(ctx, tool);
  const { chatId, messageId, sessionId, capabilities, capabilitiesOf } = turn;
  let stop: () => void = () => undefined;
  const stopped = new Promise<ToolOutcome>((resolve) => {
    stop = () => resolve({ ok: false, message: "The call was cancelled" });
  });
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    const scope = {
      callId: call.id,
      chatId,
      messageId,
      sessionId,
      model,
      messages,
      capabilities,
      capabilitiesOf,
      signal,
    };
    const outcome = await Promise.race([stopped, tool.call(read.args, scope)]);
    span?.end(outcome.ok ? undefined : signal.aborted ? "cancelled" : "tool_error");
    return outcome;
  } catch (error) {
    span?.end("tool_threw");
    // Tools do not throw; one that does is broken, and no reason to end the answer.
    ctx.log.error("a tool threw", { tool: tool.spec.name, source: tool.source.id, error });
    return { ok: false, message: "The tool failed" };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** What it was called with, and what it answered, is in no span. */
function startToolSpan({ span }: Context, { spec, source }: AttachedTool): Span | undefined {
  return span?.child({
    name: `execute_tool ${spec.name}`,
    kind: "internal",
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": spec.name,
      "gen_ai.tool.type": "function",
      "parley.tool.source": source.id,
    },
  });
}

type Told = Pick<ToolItem, "state" | "result" | "is_cut" | "file" | "error"> & { told: string };

/** The result for the model, truncated if it is too long; the full result is then stored as a file. */
async function tellOutcome(ctx: Context, { turn }: Calling, call: ToolCall, outcome: ToolOutcome): Promise<Told> {
  const maxLength = ctx.settings.TOOL_RESULT_LIMIT;
  if (!outcome.ok) {
    const message = cutText(outcome.message, maxLength);
    return { state: "error", error: message, told: `Error: ${message}` };
  }
  const { content } = outcome;
  if (content.trim() === "") return { state: "done", result: "", told: "(The tool returned no result)" };
  if (content.length <= maxLength) return { state: "done", result: content, told: content };
  const file: ToolFile | undefined = await turn.steps?.keep(call.id, call.function.name, content);
  const kept = file ? " The person can read the full result, which is stored as a file." : "";
  const mark = `[Truncated: these are the first ${maxLength} of ${content.length} characters.${kept}]`;
  const result = `${cutText(content, maxLength)}\n\n${mark}`;
  return { state: "done", result, is_cut: true, ...(file ? { file } : {}), told: result };
}
