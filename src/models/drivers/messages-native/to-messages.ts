import { isRecord, tryParseJson } from "../../../lib/json.ts";
import { contentBlocks, textBlocks, type Block } from "./to-blocks.ts";

export interface MessagesOf {
  system: Block[];
  messages: { role: "user" | "assistant"; content: Block[] }[];
  /**
   * Whether the model may think now. During tool calls the dialect requires the thoughts that led to the calls; if they
   * are missing, new thoughts must not be requested.
   */
  opensThinking: boolean;
}

/**
 * The messages of a chat-completions request in the dialect: system messages are separate, tool results belong to the
 * user, and consecutive messages of one role are joined.  Thoughts are `thinking_blocks` beside an assistant's content:
 * complete `thinking` and `redacted_thinking` blocks with signatures, as this driver returns them. Thoughts without a
 * signature cannot be sent and are left out.
 * @throws UpstreamError 400
 */
export function toMessages(given: unknown): MessagesOf {
  const system: Block[] = [];
  const messages: MessagesOf["messages"] = [];
  const add = (role: "user" | "assistant", content: Block[]): void => {
    if (content.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  };
  for (const message of Array.isArray(given) ? given.filter(isRecord) : []) {
    const { role, content } = message;
    if (role === "system" || role === "developer") system.push(...textBlocks(content));
    else if (role === "assistant") add("assistant", assistantBlocks(message));
    else if (role === "tool" || role === "function") add("user", [toolResult(message)]);
    else add("user", contentBlocks(content));
  }
  const last = messages.at(-1);
  if (last?.role === "assistant") trimEnd(last.content);
  if (last?.content.length === 0) messages.pop();
  return { system, messages, opensThinking: opensThinking(messages) };
}

function assistantBlocks(message: Block): Block[] {
  const { content, thinking_blocks: thoughts, tool_calls: calls, refusal } = message;
  return [
    ...(Array.isArray(thoughts) ? thoughts.filter(isThought) : []),
    ...textBlocks(content),
    ...(typeof refusal === "string" ? textBlocks(refusal) : []),
    ...(Array.isArray(calls) ? calls.filter(isRecord).flatMap(toolUse) : []),
  ];
}

function isThought(block: unknown): block is Block {
  if (!isRecord(block)) return false;
  const { type, signature, data } = block;
  return type === "thinking"
    ? typeof signature === "string" && signature !== ""
    : type === "redacted_thinking" && typeof data === "string";
}

function toolUse({ id, function: fn }: Block): Block[] {
  if (!isRecord(fn)) return [];
  const { name, arguments: args } = fn;
  const input = typeof args === "string" ? tryParseJson(args) : args;
  return [{ type: "tool_use", id: callId(id), name, input: isRecord(input) ? input : {} }];
}

function toolResult({ tool_call_id: id, name, content, is_error: isError, cache_control: cache }: Block): Block {
  return {
    type: "tool_result",
    tool_use_id: callId(id ?? name),
    content: contentBlocks(content),
    ...(isError === true ? { is_error: true } : {}),
    ...(cache ? { cache_control: cache } : {}),
  };
}

/** Other providers' ids may have characters that are not allowed here. */
function callId(id: unknown): string {
  const text = typeof id === "string" ? id.replace(/[^\w-]/g, "_") : "";
  return text === "" ? "call" : text;
}

/** An answer to be continued must not end with white space. */
function trimEnd(content: Block[]): void {
  const last = content.at(-1);
  if (last?.["type"] === "text" && typeof last["text"] === "string") last["text"] = last["text"].trimEnd();
  if (last?.["text"] === "") content.pop();
}

function opensThinking(messages: MessagesOf["messages"]): boolean {
  const last = messages.at(-1);
  if (last?.role === "assistant") return false;
  const answersTools = last?.content.some(({ type }) => type === "tool_result") === true;
  const before = messages.at(-2)?.content ?? [];
  return !answersTools || before.some(({ type }) => type === "thinking" || type === "redacted_thinking");
}
