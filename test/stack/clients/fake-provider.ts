import { isRecord } from "../../../src/lib/json.ts";
import {
  lastQuestion,
  type Script,
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedUpstream,
  startScriptedUpstream,
  textIn,
} from "../../fixtures/upstreams/scripted-upstream.ts";

/** What the models of the fake provider say; every client's script holds its answers against these. */
export const answers = {
  text: "Paris is the capital of France – la «ville lumière» 🗼.",
  reasoning: "The question is about France.",
  json: '{"city":"Paris"}',
  slow: "One moment",
  tokens: { input: 11, output: 7 },
  refusal: { status: 429, code: "rate_limit_exceeded", message: "Slow down", retryAfter: "7" },
} as const;

/** Its models: `strict` and `loose` answer alike, as careful servers do and as others do; `limited` refuses with a 429. */
export const models = { strict: "strict", loose: "loose", limited: "limited" } as const;

/** Questions that get something else than `answers.text`; anything else may be asked besides. */
export const questions = {
  text: "What is the capital of France?",
  /** Answered with `answers.slow`, and then nothing more. */
  slow: "Take your time",
  /** The first tool of the request is called, with "Zürich" for what its parameters need; the answer tells its result. */
  tool: "Ask one tool",
  /** The first two tools are called, with "Zürich" and "Tokyo". */
  tools: "Ask both tools",
} as const;

/** What is said of pictures: their type and size in bytes, or their address. */
export function describePictures(pictures: readonly { type: string; bytes: number }[]): string {
  return `I see ${pictures.map(({ type, bytes }) => `${type} of ${bytes} bytes`).join(" and ")}.`;
}

/** What is said after tools were called. */
export function describeResults(results: readonly string[]): string {
  return `The tools say: ${results.join("; ")}`;
}

/**
 * The upstream that the scripts of all clients are run against: an OpenAI-compatible provider on a free port of 127.0.0.1,
 * whose `url` ends in `/v1`. What it was asked stands in `exchanges`.
 */
export function startFakeProvider(): Promise<ScriptedUpstream> {
  const { input, output } = answers.tokens;
  const usual = (manner: "strict" | "loose"): Script => {
    return (request) => ({ ...replyTo(request), manner, tokens: [input, output] });
  };
  const { status, code, message, retryAfter } = answers.refusal;
  return startScriptedUpstream({
    [models.strict]: usual("strict"),
    [models.loose]: usual("loose"),
    [models.limited]: () => ({
      refusal: {
        status,
        error: { message, type: "requests", param: null, code },
        headers: { "retry-after": retryAfter },
      },
    }),
  });
}

function replyTo(request: ScriptedRequest): ScriptedReply {
  const last = request.messages.at(-1);
  if (last?.role === "tool") return { content: describeResults(resultsAtEnd(request)) };
  const question = lastQuestion(request);
  if (question.includes(questions.slow)) return { content: answers.slow, endless: true };
  const wanted = question.includes(questions.tools) ? 2 : question.includes(questions.tool) ? 1 : 0;
  if (wanted > 0 && request.tools) return { calls: request.tools.slice(0, wanted).map(callOf) };
  const parts: unknown = last?.content;
  const pictures = Array.isArray(parts) ? parts.flatMap(pictureOf) : [];
  if (pictures.length > 0) return { content: describePictures(pictures) };
  const { response_format: format, reasoning_effort: effort } = request;
  const content = isRecord(format) && format["type"] === "json_schema" ? answers.json : answers.text;
  return effort === undefined ? { content } : { content, reasoning: answers.reasoning };
}

/** The results of the last round of calls. */
function resultsAtEnd({ messages }: ScriptedRequest): string[] {
  const before = messages.findLastIndex(({ role }) => role !== "tool");
  return messages.slice(before + 1).map(({ content }) => textIn(content));
}

const cities = ["Zürich", "Tokyo"];

function callOf(
  tool: NonNullable<ScriptedRequest["tools"]>[number],
  at: number,
): { name: string; arguments: Record<string, string> } {
  const { name, parameters } = tool.function;
  const required = isRecord(parameters) && Array.isArray(parameters["required"]) ? parameters["required"] : [];
  return { name, arguments: Object.fromEntries(required.map((field) => [String(field), cities[at] ?? ""])) };
}

function pictureOf(part: unknown): { type: string; bytes: number }[] {
  const image = isRecord(part) ? part["image_url"] : undefined;
  if (!isRecord(image) || typeof image["url"] !== "string") return [];
  const [, type, base64] = /^data:([^;]+);base64,(.*)$/s.exec(image["url"]) ?? [];
  if (type === undefined || base64 === undefined) return [{ type: image["url"], bytes: 0 }];
  return [{ type, bytes: Buffer.from(base64, "base64").length }];
}
