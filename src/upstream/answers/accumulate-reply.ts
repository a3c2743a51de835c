import { isRecord } from "../../lib/json.ts";
import type { OpenAiError } from "../errors/upstream-error.ts";
import { createToolCallList, type ToolCall } from "./accumulate-tool-calls.ts";
import { mergeField } from "./merge-field.ts";

/** One choice of an answer. */
export interface ReplyChoice {
  index: number;
  content: string;
  reasoning: string;
  refusal: string;
  toolCalls: ToolCall[];
  /** The upstream's reason; null while the answer is incomplete. */
  finishReason: string | null;
}

/** An answer as it is stored: the first choice's fields at the top, all choices in `choices`. */
export interface Reply extends ReplyChoice {
  id: string | undefined;
  model: string | undefined;
  choices: ReplyChoice[];
  usage: Record<string, unknown> | undefined;
  /** Fields beside the choices that clients show: citations, search_results, sources and what else the upstream added. */
  extra: Record<string, unknown>;
  /** Why the answer is incomplete; what arrived before is in the other fields. */
  error: OpenAiError | undefined;
  /** The answer was longer than what is stored; the caller still got all of it. */
  truncated: boolean;
  /**
   * The field in which the upstream sends thoughts; undefined if there are none, or if they are between tags or in
   * parts.
   */
  reasoningField?: ReasoningField | undefined;
}

/** Fields in which upstreams send thoughts, and accept them back. */
export type ReasoningField = "reasoning_content" | "reasoning";

/** One step of an answer, for showing it while it is written. */
export interface ReplyDelta {
  choice: number;
  content?: string;
  reasoning?: string;
}

export interface AccumulatorOptions {
  /** Called for each piece of text, in order. */
  onDelta?: ((delta: ReplyDelta) => void) | undefined;
  /** Keep logprobs and unknown fields of messages too; needed to rebuild a whole completion. */
  everything?: boolean;
  /** Maximum stored length, in UTF-16 units of text and JSON. */
  maxLength?: number;
}

export interface ReplyAccumulator {
  /** A piece of one text field, if the chunk contains nothing else. */
  addText(choice: number, field: TextField, text: string): void;
  addChunk(chunk: Record<string, unknown>): void;
  setUsage(usage: Record<string, unknown>): void;
  setFinish(choice: number, reason: string): void;
  setError(error: OpenAiError): void;
  setReasoningField(field: ReasoningField): void;
  reply(): Reply;
  /** The answer as one `chat.completion` object. */
  completion(): Record<string, unknown>;
}

export type TextField = "content" | "reasoning_content" | "refusal";

interface ChoiceState extends Omit<ReplyChoice, "toolCalls"> {
  tools: ReturnType<typeof createToolCallList>;
  hasContent: boolean;
  message: Record<string, unknown>;
  choice: Record<string, unknown>;
}

const envelope = new Set(["id", "object", "created", "model", "choices", "usage", "obfuscation", "error"]);
const handledDelta = new Set(["role", "content", "reasoning_content", "refusal", "tool_calls", "function_call"]);
const handledChoice = new Set(["index", "delta", "message", "finish_reason"]);

/** Collects repaired chat-completions chunks into one answer. */
export function createReplyAccumulator(options: AccumulatorOptions = {}): ReplyAccumulator {
  const { onDelta, everything = false, maxLength = 32 * 1024 * 1024 } = options;
  const choices = new Map<number, ChoiceState>();
  const head: Record<string, unknown> = {};
  const extra: Record<string, unknown> = {};
  let usage: Record<string, unknown> | undefined;
  let error: OpenAiError | undefined;
  let reasoningField: ReasoningField | undefined;
  let length = 0;

  function fits(added: number): boolean {
    length += added;
    return length <= maxLength;
  }

  function choiceAt(index: number): ChoiceState {
    let state = choices.get(index);
    if (!state) {
      const texts = { content: "", reasoning: "", refusal: "", hasContent: false };
      state = {
        index,
        ...texts,
        finishReason: null,
        tools: createToolCallList(),
        message: {},
        choice: {},
      };
      choices.set(index, state);
    }
    return state;
  }

  function addText(choice: number, field: TextField, text: string): void {
    const state = choiceAt(choice);
    if (field === "content") state.hasContent = true;
    if (text === "" || !fits(text.length)) return;
    if (field === "content") {
      state.content += text;
      onDelta?.({ choice, content: text });
    } else if (field === "refusal") {
      state.refusal += text;
    } else {
      state.reasoning += text;
      onDelta?.({ choice, reasoning: text });
    }
  }

  function merge(target: Record<string, unknown>, name: string, value: unknown): void {
    if (typeof value !== "object" || value === null || fits(JSON.stringify(value).length))
      mergeField(target, name, value);
  }

  function addDelta(state: ChoiceState, delta: Record<string, unknown>): void {
    const { content, reasoning_content: reasoning, refusal } = delta;
    if (typeof reasoning === "string") addText(state.index, "reasoning_content", reasoning);
    if (typeof content === "string") addText(state.index, "content", content);
    if (typeof refusal === "string") addText(state.index, "refusal", refusal);
    const { tool_calls: toolCalls, function_call: functionCall } = delta;
    if (Array.isArray(toolCalls) && fits(JSON.stringify(toolCalls).length)) toolCalls.forEach(state.tools.add);
    if (isRecord(functionCall)) state.tools.addLegacy(functionCall);
    for (const name in delta) {
      if (!handledDelta.has(name)) merge(state.message, name, delta[name]);
    }
  }

  function addChoice(choice: unknown, position: number): void {
    if (!isRecord(choice)) return;
    const state = choiceAt(typeof choice["index"] === "number" ? choice["index"] : position);
    const { delta, finish_reason: finish } = choice;
    if (isRecord(delta)) addDelta(state, delta);
    else if (isRecord(choice["message"])) addDelta(state, choice["message"]);
    if (typeof finish === "string" && finish !== "") state.finishReason = finish;
    if (!everything) return;
    for (const name in choice) {
      if (!handledChoice.has(name)) merge(state.choice, name, choice[name]);
    }
  }

  function addChunk(chunk: Record<string, unknown>): void {
    for (const name in chunk) {
      const value = chunk[name];
      if (name === "id" || name === "created" || name === "model") head[name] ||= value;
      else if (name === "choices" && Array.isArray(value)) value.forEach(addChoice);
      else if (name === "usage" && isRecord(value)) usage = value;
      // Each chunk repeats these as a whole (citations, search_results), so the last one counts.
      else if (!envelope.has(name) && value !== null) extra[name] = value;
    }
  }

  function toChoice(state: ChoiceState): ReplyChoice {
    const { index, content, reasoning, refusal, finishReason } = state;
    return { index, content, reasoning, refusal, finishReason, toolCalls: state.tools.list() };
  }

  function sorted(): ChoiceState[] {
    return [...choices.values()].sort((a, b) => a.index - b.index);
  }

  function toCompletionChoice(state: ChoiceState): Record<string, unknown> {
    const tools = state.tools.list();
    const legacy = state.tools.legacy();
    const message: Record<string, unknown> = { role: "assistant" };
    const calls = tools.length > 0 || legacy !== undefined;
    message["content"] = state.content === "" && (calls || !state.hasContent) ? null : state.content;
    if (state.reasoning !== "") message["reasoning_content"] = state.reasoning;
    if (state.refusal !== "") message["refusal"] = state.refusal;
    if (tools.length > 0) message["tool_calls"] = tools;
    if (legacy) message["function_call"] = legacy;
    Object.assign(message, state.message);
    return { index: state.index, message, ...state.choice, finish_reason: state.finishReason };
  }

  return {
    addText,
    addChunk,
    setUsage: (value) => {
      usage = value;
    },
    setFinish: (choice, reason) => {
      choiceAt(choice).finishReason = reason;
    },
    setError: (value) => {
      error ??= value;
      for (const state of choices.values()) state.finishReason = null;
    },
    setReasoningField: (field) => {
      reasoningField = field;
    },
    reply: () => {
      const all = sorted().map(toChoice);
      const none = { index: 0, content: "", reasoning: "", refusal: "", toolCalls: [], finishReason: null };
      const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
      const truncated = length > maxLength;
      const ids = { id: text(head["id"]), model: text(head["model"]) };
      return {
        ...(all[0] ?? none),
        ...ids,
        choices: all,
        usage,
        extra: { ...extra },
        error,
        truncated,
        reasoningField,
      };
    },
    completion: () => {
      const { id, created, model } = head;
      const choiceList = sorted().map(toCompletionChoice);
      return {
        id,
        object: "chat.completion",
        created,
        model,
        choices: choiceList,
        ...(usage ? { usage } : {}),
        ...extra,
      };
    },
  };
}

/** The reply in a whole `chat.completion` object. */
export function replyFromCompletion(completion: Record<string, unknown>): Reply {
  const accumulator = createReplyAccumulator();
  const { choices } = completion;
  // Perplexity puts an empty delta beside the message.
  const messages = Array.isArray(choices)
    ? choices
        .filter(isRecord)
        .map((choice) => (isRecord(choice["message"]) ? { ...choice, delta: choice["message"] } : choice))
    : [];
  accumulator.addChunk({ ...completion, choices: messages });
  return accumulator.reply();
}
