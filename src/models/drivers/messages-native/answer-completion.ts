import { readBytes } from "../../../http/byte-reader.ts";
import { readBounded } from "../../../http/read-bounded.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";
import { defaultMaxAnswerBytes } from "../../../upstream/answers/answer-stream.ts";
import { sniffAnswer } from "../../../upstream/answers/sniff-answer.ts";
import { oversizedAnswer } from "../../../upstream/errors/upstream-error.ts";
import { convertEvents } from "./convert-events.ts";
import { completionOfMessage } from "./from-message.ts";

/**
 * A Messages answer with a good status as a chat-completions answer, in the wrapping that it has. What is neither a message nor
 * its stream (a web page, an error) stays what it is: those that read it know what to say of it.
 * @throws UpstreamError for more than can be handled
 */
export async function answerCompletion(response: Response, model: string): Promise<Response> {
  const { body, headers } = response;
  if (!body) return response;
  const options = { model, now: Math.floor(Date.now() / 1000) };
  const type = headers.get("content-type") ?? "";
  if (/event-stream/i.test(type)) return answer(convertEvents(body, options), headers, "text/event-stream");
  const { text, ended } = await readBounded(readBytes(body), defaultMaxAnswerBytes);
  if (!ended) throw oversizedAnswer();
  const value = tryParseJson(text);
  if (isRecord(value) && value["type"] === "message")
    return answer(JSON.stringify(completionOfMessage(value, options)), headers, "application/json");
  // A stream that was given another name.
  if (value === undefined && sniffAnswer(type, text, true) === "events")
    return answer(convertEvents(new Response(text).body!, options), headers, "text/event-stream");
  return answer(text, headers, type);
}

/** The length and the encoding were those of another body. */
function answer(body: BodyInit, given: Headers, type: string): Response {
  const headers = new Headers(given);
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  headers.set("content-type", type);
  return new Response(body, { headers });
}
