import { isRecord } from "../../lib/json.ts";
import { oversizedAnswer, type OpenAiError } from "../../upstream/errors/upstream-error.ts";
import type { StreamConverter } from "../dialects/convert-stream.ts";
import { type DeltaSink, readDelta } from "../dialects/read-delta.ts";
import { annotationOf, logprobsOf } from "./beside-text.ts";
import { errorOf } from "./response-error.ts";
import type { ChatTools } from "./to-chat-tools.ts";
import type { Item } from "./to-parts.ts";
import { toUsage } from "./to-usage.ts";
import { createEventWriter } from "./write-events.ts";
import { createOutputWriter } from "./write-output.ts";

export interface ConverterOptions {
  /** The initial response. */
  head: Record<string, unknown>;
  tools: Pick<ChatTools, "custom" | "spaced">;
  /** Thoughts are sent as a summary. */
  isSummary: boolean;
  /** The client asked for `reasoning.encrypted_content`. */
  showsMarks: boolean;
  /** Epoch seconds. */
  now: () => number;
  newId?: (() => string) | undefined;
}

export interface ResponsesConverter extends StreamConverter {
  /**
   * The response in its current state.
   * @param keepsMarks with the provider's signatures on its thoughts, even if the client did not ask for them
   */
  response(keepsMarks?: boolean): Record<string, unknown>;
  /** Whether it has ended in a way from which it can be continued. */
  isWhole(): boolean;
}

/** Maximum length of a buffered answer, in UTF-16 units: an answer is sent in pieces and again as a whole. */
const maxLength = 16 * 1024 * 1024;

const incomplete: Record<string, string> = {
  length: "max_output_tokens",
  max_tokens: "max_output_tokens",
  content_filter: "content_filter",
};

/**
 * Converts a chat-completions stream into the events of the Responses API
 * (https://platform.openai.com/docs/api-reference/responses-streaming): `response.created`, `response.in_progress`, the
 * items of the output each from `added` to `done`, and at the end `response.completed`, `response.incomplete` or
 * `response.failed` with the whole response; numbered from 0 without a gap.
 */
export function createResponsesConverter(options: ConverterOptions): ResponsesConverter {
  const { head, now } = options;
  const writer = createEventWriter();
  const output = createOutputWriter(writer, options);
  const beside: Record<string, unknown> = {};
  let usage: unknown;
  let finish: string | undefined;
  let letters = 0;
  /** Of the delta that is being read. */
  let logprobs: readonly Item[] = [];
  let ended: Record<string, unknown> | undefined;

  const pieces: DeltaSink = {
    think(text) {
      letters += text.length;
      output.think(text);
    },
    mark: output.mark,
    say(text) {
      letters += text.length;
      output.text(text, logprobs);
    },
    refuse: output.refuse,
    call(piece) {
      letters += piece.arguments.length;
      output.call(piece);
    },
  };

  function addDelta(delta: Item): void {
    readDelta(delta, pieces);
    if (Array.isArray(delta["annotations"])) delta["annotations"].flatMap(annotationOf).forEach(output.annotate);
  }

  function addChoice(choice: unknown): void {
    // The dialect has one answer; others, which nobody could ask for, are not mixed into it.
    if (!isRecord(choice) || (choice["index"] ?? 0) !== 0) return;
    logprobs = logprobsOf(choice["logprobs"]);
    if (isRecord(choice["delta"])) addDelta(choice["delta"]);
    if (typeof choice["finish_reason"] === "string") finish = choice["finish_reason"];
  }

  function finishAs(status: "completed" | "incomplete" | "failed", fields: Record<string, unknown>): string {
    output.end(status === "completed" ? "completed" : "incomplete");
    ended = { status, completed_at: status === "completed" ? now() : null, ...fields };
    writer.event(`response.${status}`, { response: response() });
    return writer.taken();
  }

  function fail(error: OpenAiError): string {
    return finishAs("failed", { error: errorOf(error) });
  }

  function response(keepsMarks = false): Record<string, unknown> {
    return { ...head, ...ended, output: output.items(keepsMarks), usage: toUsage(usage), ...beside };
  }

  return {
    start() {
      writer.event("response.created", { response: response() });
      writer.event("response.in_progress", { response: response() });
      return writer.taken();
    },
    chunk(chunk) {
      if (ended) return "";
      const { choices, usage: counted, sources, warnings } = chunk;
      if (isRecord(counted)) usage = counted;
      if (Array.isArray(sources)) beside["sources"] = sources;
      if (Array.isArray(warnings)) beside["warnings"] = warnings;
      if (Array.isArray(choices)) choices.forEach(addChoice);
      return letters > maxLength ? fail(oversizedAnswer().toStreamError().error) : writer.taken();
    },
    idle: () => ": still there\n\n",
    error: (error) => (ended ? "" : fail(error)),
    end() {
      if (ended) return "";
      const reason = incomplete[finish ?? ""];
      if (reason) return finishAs("incomplete", { incomplete_details: { reason } });
      return finishAs("completed", {});
    },
    isOver() {
      return letters > maxLength;
    },
    response,
    isWhole() {
      return ended !== undefined && ended["status"] !== "failed";
    },
  };
}
