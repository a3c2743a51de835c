import { AppError } from "../../errors.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { openThoughts } from "./thought-marks.ts";
import { cannotSay, contentOf, type Item, type PartsOptions, textOf } from "./to-parts.ts";

type ChatMessage = Record<string, unknown>;

/** An assistant's message that is being assembled from items. */
interface Answer {
  content: string | undefined;
  calls: ChatMessage[];
  reasoning: string;
  thoughts: Item[];
}

/** Items of another provider's hosted tool: their result is in the answer that follows. */
const leftOut =
  /^(?:web_search_call|file_search_call|image_generation_call|code_interpreter_call|tool_search_(?:call|output)|mcp_list_tools|mcp_approval_re(?:quest|sponse)|compaction)$/;

/**
 * The items of a conversation as chat completions: what belongs to one answer (thoughts, text, calls) is one message,
 * tool results are separate messages.
 * @param items the whole conversation, earlier turns first
 * @throws AppError `bad_request` for an unsupported item
 */
export function toChatMessages(items: readonly Item[], options: PartsOptions): ChatMessage[] {
  const messages: ChatMessage[] = [];
  const lastQuestion = items.findLastIndex(({ role }) => role === "user");
  let answer: Answer | undefined;

  function close(isOpen: boolean): void {
    if (answer) messages.push(...messageOf(answer, isOpen, options));
    answer = undefined;
  }

  function addMessage(item: Item, at: number): void {
    const { role, content } = item;
    const path = `input.${at}.content`;
    if (role !== "assistant") {
      close(at > lastQuestion);
      const said = contentOf(content, path, options);
      if (said.length > 0) messages.push({ role: role === "developer" ? "system" : role, content: said });
      return;
    }
    if (answer && (answer.content !== undefined || answer.calls.length > 0)) close(at > lastQuestion);
    answer ??= begin();
    answer.content = textOf(content);
  }

  function addThought(item: Item, at: number): void {
    if (answer && (answer.content !== undefined || answer.calls.length > 0)) close(at > lastQuestion);
    answer ??= begin();
    const { content, summary, encrypted_content: sealed } = item;
    answer.reasoning += textOf(content) || textOf(summary);
    answer.thoughts.push(...(openThoughts(sealed) ?? []));
  }

  for (const [at, item] of items.entries()) {
    const { type } = item;
    if (type === "reasoning") addThought(item, at);
    else if (type === "function_call" || type === "custom_tool_call") (answer ??= begin()).calls.push(callOf(item));
    else if (type === "function_call_output" || type === "custom_tool_call_output") {
      close(at > lastQuestion);
      messages.push(...resultOf(item, `input.${at}.output`, options));
    } else if (type === "message" || (type === undefined && item["role"] !== undefined) || type === null)
      addMessage(item, at);
    else if (typeof type !== "string" || !leftOut.test(type))
      throw cannotSay(`input.${at}`, `items of the type ${JSON.stringify(String(type).slice(0, 100))}`);
  }
  close(true);
  return messages;
}

function begin(): Answer {
  return { content: undefined, calls: [], reasoning: "", thoughts: [] };
}

/** @param isOpen the turn is unfinished: models that think between calls need the thoughts before their calls */
function messageOf(
  { content, calls, reasoning, thoughts }: Answer,
  isOpen: boolean,
  { isNative }: PartsOptions,
): ChatMessage[] {
  if (content === undefined && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: content ?? null,
      ...(isNative && thoughts.length > 0 ? { thinking_blocks: thoughts } : {}),
      ...(!isNative && isOpen && calls.length > 0 && reasoning !== "" ? { reasoning_content: reasoning } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ];
}

function callOf({ type, call_id: id, name, namespace, arguments: args, input }: Item): ChatMessage {
  const text = type === "custom_tool_call" ? JSON.stringify({ input: input ?? "" }) : args;
  const whole = typeof namespace === "string" && namespace !== "" ? `${namespace}__${String(name)}` : name;
  return {
    id,
    type: "function",
    function: { name: whole, arguments: typeof text === "string" && tryParseJson(text) !== undefined ? text : "{}" },
  };
}

/** A tool result. Chat completions support only text there: its pictures follow as the user's. */
function resultOf({ call_id: id, output }: Item, path: string, options: PartsOptions): ChatMessage[] {
  if (typeof id !== "string" || id === "") {
    const param = path.replace(/output$/, "call_id");
    throw new AppError("bad_request", `${param}: Required`, { param });
  }
  const said = isRecord(output) ? JSON.stringify(output) : contentOf(output, path, options);
  const message = { role: "tool", tool_call_id: id };
  if (typeof said === "string") return [{ ...message, content: said }];
  if (options.isNative) return [{ ...message, content: said }];
  const texts = said.filter(({ type }) => type === "text").map(({ text }) => text);
  const others = said.filter(({ type }) => type !== "text");
  return [
    { ...message, content: [...texts, "(Pictures of this result follow.)"].join("\n\n") },
    { role: "user", content: [{ type: "text", text: `Pictures of the result of ${id}:` }, ...others] },
  ];
}
