import { readBytes } from "../../../http/byte-reader.ts";
import { readBounded } from "../../../http/read-bounded.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";
import { defaultMaxAnswerBytes } from "../../../upstream/answers/answer-stream.ts";
import { sniffAnswer } from "../../../upstream/answers/sniff-answer.ts";
import { oversizedAnswer } from "../../../upstream/errors/upstream-error.ts";
import { convertEvents } from "./convert-events.ts";
import { completionOfMessage } from "./from-message.ts";

/**
 * A successful Messages answer as a chat-completions answer, as a stream or complete like the original. Anything else
 * (a web page, an error) is left unchanged for its reader.
 * @throws UpstreamError for more data than the limit
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

/** Removes length and encoding, which described another body. */
function answer(body: BodyInit, given: Headers, type: string): Response {
  const headers = new Headers(given);
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  headers.set("content-type", type);
  return new Response(body, { headers });
}
