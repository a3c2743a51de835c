import { readBytes } from "../../../http/byte-reader.ts";
import { readBounded } from "../../../http/read-bounded.ts";
import { newId } from "../../../lib/id.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";
import { splitLines } from "../../../lib/split-lines.ts";
import { defaultMaxAnswerBytes } from "../../../upstream/answers/answer-stream.ts";
import { oversizedAnswer } from "../../../upstream/errors/upstream-error.ts";

type Fields = Record<string, unknown>;

/** Longest line of a stream, in UTF-16 units. */
const maxLineLength = 16 * 1024 * 1024;

/**
 * A successful answer of `/api/chat` as a chat completion: a stream if it consists of lines, a completion if it is one
 * object. Anything else is left unchanged.
 * @throws UpstreamError for more data than the limit
 */
export async function answerNativeChat(response: Response, model: string): Promise<Response> {
  const { body, headers } = response;
  if (!body) return response;
  const type = headers.get("content-type") ?? "";
  if (/ndjson/i.test(type))
    return new Response(convertLines(body, model), { headers: { "content-type": "text/event-stream" } });
  const { text, ended } = await readBounded(readBytes(body), defaultMaxAnswerBytes);
  if (!ended) throw oversizedAnswer();
  const value = tryParseJson(text);
  if (!isRecord(value) || !isRecord(value["message"])) return new Response(text, { headers: { "content-type": type } });
  const { delta, finish } = createReader()(value);
  const completion = {
    ...frameOf(model, "chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "", ...delta },
        logprobs: null,
        finish_reason: finish ?? "stop",
      },
    ],
    usage: usageOf(value),
  };
  return Response.json(completion);
}

function convertLines(body: ReadableStream<Uint8Array>, model: string): ReadableStream<Uint8Array> {
  const lines = splitLines(body, maxLineLength)[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const read = createReader();
  const frame = frameOf(model, "chat.completion.chunk");
  const say = (chunk: Fields) => `data: ${JSON.stringify({ ...frame, ...chunk })}\n\n`;
  const choice = (delta: Fields, reason: string | null) =>
    say({ choices: [{ index: 0, delta, finish_reason: reason }] });
  let isOpen = false;

  function eventsOf(line: Fields): string {
    // An error in the middle of an answer, in the runtime's words.
    if ("error" in line) return `data: ${JSON.stringify({ error: { message: line["error"] } })}\n\n`;
    const { delta, finish } = read(line);
    const opening = isOpen ? "" : choice({ role: "assistant", content: "" }, null);
    isOpen = true;
    const said = Object.keys(delta).length === 0 ? "" : choice(delta, null);
    if (finish === undefined) return opening + said;
    return `${opening}${said}${choice({}, finish)}${say({ choices: [], usage: usageOf(line) })}data: [DONE]\n\n`;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) return controller.close();
        const line = tryParseJson(value);
        const events = isRecord(line) ? eventsOf(line) : "";
        controller.enqueue(encoder.encode(events === "" ? ": still there\n\n" : events));
      },
      async cancel() {
        await lines.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Reads one line after the other: tool calls are numbered across all lines. */
function createReader(): (line: Fields) => { delta: Fields; finish: string | undefined } {
  let calls = 0;
  return ({ message, done, done_reason: reason }) => {
    const { content, thinking, tool_calls: called } = isRecord(message) ? message : {};
    const list = Array.isArray(called) ? called.filter(isRecord) : [];
    const delta = {
      ...(typeof thinking === "string" && thinking !== "" ? { reasoning_content: thinking } : {}),
      ...(typeof content === "string" && content !== "" ? { content } : {}),
      ...(list.length > 0 ? { tool_calls: list.map((call) => toolCall(call, calls++)) } : {}),
    };
    const finish = calls > 0 ? "tool_calls" : reason === "length" ? "length" : "stop";
    return { delta, finish: done === true ? finish : undefined };
  };
}

function toolCall(call: Fields, index: number): Fields {
  const { name, arguments: args } = isRecord(call["function"]) ? call["function"] : {};
  const id = typeof call["id"] === "string" && call["id"] !== "" ? call["id"] : `call_${newId()}`;
  const text = typeof args === "string" ? args : JSON.stringify(args ?? {});
  return { index, id, type: "function", function: { name, arguments: text } };
}

function usageOf({ prompt_eval_count: prompt, eval_count: completion }: Fields): Fields {
  const [asked, answered] = [count(prompt), count(completion)];
  return { prompt_tokens: asked, completion_tokens: answered, total_tokens: asked + answered };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

function frameOf(model: string, object: string): Fields {
  return { id: `chatcmpl-${newId()}`, object, created: Math.floor(Date.now() / 1000), model };
}
