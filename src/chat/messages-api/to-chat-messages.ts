import { isRecord } from "../../lib/json.ts";
import type { CountRequest } from "./schema.ts";
import { asText, type Block, blocksOf, partsOf, type PartsOptions } from "./to-chat-parts.ts";

type ChatMessage = Record<string, unknown>;

/**
 * The messages of a request as chat completions: the system prompt first, tool results as separate messages right after
 * the calls, and consecutive messages of one role joined, because templates of many models require it.
 * @throws AppError `bad_request`
 */
export function toChatMessages(request: CountRequest, options: PartsOptions): ChatMessage[] {
  const messages: ChatMessage[] = [...systemMessages(request.system, options)];
  const openSince = lastQuestion(request.messages);
  for (const [at, { role, content }] of request.messages.entries()) {
    const path = `messages.${at}.content`;
    if (role === "system") messages.push(...systemMessages(content, options));
    else if (role === "user") userMessages(content, path, options).forEach((message) => add(messages, message));
    else add(messages, assistantMessage(blocksOf(content), { options, isOpen: at > openSince }));
  }
  return messages;
}

/** A billing header that differs in each request and would defeat prompt caches. */
const billing = /^x-anthropic-billing-header:/i;

function systemMessages(system: unknown, { keepsBlocks }: PartsOptions): ChatMessage[] {
  const parts = blocksOf(system)
    .filter(({ text }) => typeof text === "string" && (keepsBlocks || !billing.test(text)))
    .flatMap((block, at) => partsOf(block, `system.${at}`, { keepsBlocks }));
  return parts.length === 0 ? [] : [{ role: "system", content: asText(parts, "\n\n") ?? parts }];
}

/** The last message with content from a person: everything after it is an unfinished turn. */
function lastQuestion(messages: CountRequest["messages"]): number {
  return messages.findLastIndex(
    ({ role, content }) => role === "user" && blocksOf(content).some(({ type }) => type !== "tool_result"),
  );
}

function userMessages(content: unknown, path: string, options: PartsOptions): ChatMessage[] {
  const results: ChatMessage[] = [];
  const parts: Block[] = [];
  for (const [at, block] of blocksOf(content).entries()) {
    const here = `${path}.${at}`;
    if (block["type"] !== "tool_result") {
      parts.push(...partsOf(block, here, options));
      continue;
    }
    const { message, pictures } = toolMessage(block, here, options);
    results.push(message);
    parts.push(...pictures);
  }
  if (parts.length > 0) results.push({ role: "user", content: asText(parts, "\n\n") ?? parts });
  return results;
}

/** A tool result. Chat completions support only text there: its pictures follow as the user's. */
function toolMessage(block: Block, path: string, options: PartsOptions): { message: ChatMessage; pictures: Block[] } {
  const { tool_use_id: id, is_error: isError, cache_control: cache } = block;
  const parts = blocksOf(block["content"]).flatMap((each, at) => partsOf(each, `${path}.content.${at}`, options));
  const message = { role: "tool", tool_call_id: id };
  if (options.keepsBlocks) {
    const kept = {
      ...(isError === true ? { is_error: true } : {}),
      ...(isRecord(cache) ? { cache_control: cache } : {}),
    };
    return { message: { ...message, content: asText(parts, "\n\n") ?? parts, ...kept }, pictures: [] };
  }
  const texts = parts.filter(({ type }) => type === "text");
  const pictures = parts.filter(({ type }) => type !== "text");
  const note = pictures.length > 0 ? [{ type: "text", text: "(Pictures of this result follow.)" }] : [];
  const text = asText([...texts, ...note], "\n\n") ?? "";
  return {
    message: { ...message, content: isError === true ? `Error: ${text}` : text },
    pictures:
      pictures.length > 0 ? [{ type: "text", text: `Pictures of the result of ${String(id)}:` }, ...pictures] : [],
  };
}

/**
 * @param isOpen the turn is unfinished: models that think between calls need the thoughts before their calls.
 *   Signatures are only for native providers
 */
function assistantMessage(
  blocks: Block[],
  { options, isOpen }: { options: PartsOptions; isOpen: boolean },
): ChatMessage {
  const thoughts = blocks.filter(({ type }) => type === "thinking" || type === "redacted_thinking");
  const calls = blocks.filter(({ type }) => type === "tool_use").map(toolCall);
  const thought = thoughts.map(({ thinking }) => (typeof thinking === "string" ? thinking : "")).join("");
  return {
    role: "assistant",
    content: textOf(blocks) ?? (calls.length > 0 ? null : ""),
    ...(options.keepsBlocks && thoughts.length > 0 ? { thinking_blocks: thoughts } : {}),
    ...(!options.keepsBlocks && isOpen && calls.length > 0 && thought !== "" ? { reasoning_content: thought } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Consecutive texts are one text split by citations; others are separate. */
function textOf(blocks: Block[]): string | undefined {
  let text: string | undefined;
  let isNext = false;
  for (const { type, text: added } of blocks) {
    const isText = type === "text" && typeof added === "string" && added !== "";
    if (isText) text = text === undefined ? added : text + (isNext ? "" : "\n\n") + added;
    isNext = isText;
  }
  return text;
}

function toolCall({ id, name, input }: Block): Block {
  return { id, type: "function", function: { name, arguments: JSON.stringify(isRecord(input) ? input : {}) } };
}

function add(messages: ChatMessage[], message: ChatMessage): void {
  const last = messages.at(-1);
  const isPlain = ({ role, tool_calls: calls }: ChatMessage) => role === message["role"] && calls === undefined;
  if (!last || message["role"] === "tool" || !isPlain(last) || !isPlain(message)) return void messages.push(message);
  const parts = [...blocksOf(last["content"]), ...blocksOf(message["content"])];
  messages[messages.length - 1] = { ...last, ...message, content: asText(parts, "\n\n") ?? parts };
}
