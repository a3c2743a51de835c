import { errorFields } from "../../http/render-messages-error.ts";
import { newId as newUuid } from "../../lib/id.ts";
import { isRecord } from "../../lib/json.ts";
import { oversizedAnswer, type OpenAiError } from "../../upstream/errors/upstream-error.ts";
import type { StreamConverter } from "../dialects/convert-stream.ts";
import { type DeltaSink, readDelta } from "../dialects/read-delta.ts";
import { frame, pingFrame } from "./event-frames.ts";
import { dialectId, messageHead } from "./message-head.ts";
import { stopOf } from "./stop-reason.ts";
import { createStopWatch } from "./stop-watch.ts";
import { startUsage, toUsage } from "./to-usage.ts";
import { createBlockWriter } from "./write-blocks.ts";

/** What an answer needs to know of its request. */
export interface AnswerOptions {
  /** The requested model. */
  model: string;
  sequences: readonly string[];
  showsThinking: boolean;
  /** The request's tokens, as far as they are known before the provider counts. */
  inputTokens: number;
  requestId?: string | undefined;
  newId?: (() => string) | undefined;
}

/** Maximum buffered length, in UTF-16 units: pieces of parallel calls. */
const maxWaitingLength = 8 * 1024 * 1024;

/**
 * Converts a chat-completions stream into the events of the Messages API
 * (https://docs.anthropic.com/en/docs/build-with-claude/streaming): one `message_start`, blocks one after another,
 * `message_delta` with reason and usage, then `message_stop`; `ping` during silence, `error` instead of an end.
 */
export function createMessagesConverter(options: AnswerOptions): StreamConverter {
  const { model, sequences, showsThinking, inputTokens, requestId, newId = newUuid } = options;
  let out = "";
  let letters = 0;
  let usage: unknown;
  let finish: Record<string, unknown> = {};
  let overflowed = false;
  const blocks = createBlockWriter(
    (frames) => {
      out += frames;
    },
    () => dialectId("toolu", newId),
  );
  const stops = createStopWatch(sequences);

  function say(text: string): void {
    letters += text.length;
    blocks.text(stops.push(text));
  }

  function think(text: string): void {
    letters += text.length;
    if (!showsThinking) return;
    blocks.text(stops.flush());
    blocks.thinking(text);
  }

  function addThought(thought: Record<string, unknown>): void {
    if (!showsThinking) return;
    const { type, signature, data } = thought;
    if (type === "redacted_thinking") blocks.redacted(data);
    else if (typeof signature === "string" && signature !== "") blocks.sign(signature);
  }

  const pieces: DeltaSink = {
    think,
    mark: addThought,
    say,
    refuse: say,
    call(piece) {
      blocks.text(stops.flush());
      letters += piece.arguments.length;
      blocks.call(piece);
    },
  };

  function addChoice(choice: unknown): void {
    // The dialect has one answer; others, which nobody could ask for, are not mixed into it.
    if (!isRecord(choice) || (choice["index"] ?? 0) !== 0) return;
    if (isRecord(choice["delta"]) && stops.met() === undefined) readDelta(choice["delta"], pieces);
    if (typeof choice["finish_reason"] === "string") finish = choice;
  }

  function taken(): string {
    const text = out;
    out = "";
    return text;
  }

  return {
    start: () =>
      frame("message_start", {
        message: {
          ...messageHead(model, newId),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          stop_details: null,
          container: null,
          usage: startUsage(inputTokens),
        },
      }),
    chunk(chunk) {
      if (isRecord(chunk["usage"])) ({ usage } = chunk);
      if (Array.isArray(chunk["choices"])) chunk["choices"].forEach(addChoice);
      overflowed ||= blocks.waiting() > maxWaitingLength;
      return taken();
    },
    idle: () => pingFrame,
    error: (error: OpenAiError) => taken() + errorFrame(error),
    end() {
      if (overflowed) return taken() + errorFrame(oversizedAnswer().toStreamError().error);
      blocks.text(stops.flush());
      blocks.end();
      const stop = stopOf(finish, { sequences, calls: blocks.calls(), met: stops.met() });
      const delta = { ...stop, stop_details: null, container: null };
      const counted = toUsage(usage, { input: inputTokens, letters });
      return taken() + frame("message_delta", { delta, usage: counted }) + frame("message_stop");
    },
    isOver() {
      return overflowed || stops.met() !== undefined;
    },
  };

  function errorFrame(error: OpenAiError): string {
    return frame("error", {
      error: errorFields(typeof error["status"] === "number" ? error["status"] : 502, error.message, error.type),
      ...(requestId === undefined ? {} : { request_id: requestId }),
    });
  }
}
