import { type ReadAnswerOptions, readUpstreamAnswer } from "../../src/upstream/answers/read-upstream-answer.ts";
import { UpstreamError } from "../../src/upstream/errors/upstream-error.ts";
import { checkStream } from "../grammar/chat-completions.ts";
import { readAll } from "./streams.ts";

export const events = { "content-type": "text/event-stream" };
export const json = { "content-type": "application/json" };
export const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
export const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_762_000_000,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage,
};
export const error = { message: "M", type: "T", param: "P", code: "C" };

export const read = (response: Response | Promise<Response>, options: Partial<ReadAnswerOptions> = {}) =>
  readUpstreamAnswer(response, { stream: false, model: "asked", now: () => 7, newId: () => "new", ...options });

export async function readStream(response: Response | Promise<Response>, options: Partial<ReadAnswerOptions> = {}) {
  const answer = await read(response, { ...options, stream: true });
  if (answer.kind !== "stream") throw new Error("expected a stream");
  const bytes = await readAll(answer.body);
  const checked = checkStream(bytes, { usage: options.includeUsage ?? false });
  return { ...checked, text: new TextDecoder().decode(bytes), reply: await answer.finished, headers: answer.headers };
}

export async function readDocument(response: Response | Promise<Response>, options: Partial<ReadAnswerOptions> = {}) {
  const answer = await read(response, options);
  if (answer.kind !== "json") throw new Error("a document was asked for");
  return answer;
}

/** The failure of reading, with what the caller gets for it. */
export async function failureOf(response: Response | Promise<Response>, options: Partial<ReadAnswerOptions> = {}) {
  const failure: unknown = await read(response, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(failure instanceof UpstreamError)) throw new Error("an UpstreamError was expected");
  return { failure, status: failure.status, body: failure.toOpenAiError().error };
}
