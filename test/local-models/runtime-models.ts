import type { ServerResponse } from "node:http";
import { isRecord } from "../../src/lib/json.ts";
import type { FakeRuntime, SeenRequest } from "./fake-runtime.ts";
import { counts, durations, fail, json, lines, modified, tagged, words } from "./runtime-words.ts";

type Body = Record<string, unknown>;
/** A request whose body was read. */
export interface Asked {
  runtime: FakeRuntime;
  seen: SeenRequest;
  response: ServerResponse;
  body: Body;
}

/** Finds the model as the runtime does, and answers in its words where there is none. */
export async function withModel(
  asked: Asked,
  path: string,
  use: (asked: Asked, model: string) => Promise<void> | void,
) {
  const { runtime, response, body } = asked;
  const said = path === "/api/show" || /(delete|push)$/.test(path) ? body["model"] || body["name"] : body["model"];
  if (typeof said !== "string" || said === "") return fail(path, response, 400, "model is required");
  if (!runtime.models.includes(tagged(said))) return fail(path, response, 404, `model '${said}' not found`);
  await use(asked, said);
}

export async function generate({ runtime, response, body }: Asked, model: string): Promise<void> {
  if (body["keep_alive"] === 0) runtime.loaded.delete(tagged(model));
  else runtime.loaded.add(tagged(model));
  const head = { model, created_at: modified };
  if (!body["prompt"]) return json(response, 200, { ...head, response: "", done: true, done_reason: "load" });
  const last = {
    done: true,
    done_reason: "stop",
    context: Array.from({ length: 3000 }, (_, at) => 12_345 + at),
    ...durations,
    ...counts,
    eval_duration: 2_371_000_000,
  };
  if (body["stream"] === false) return json(response, 200, { ...head, response: words.join(""), ...last });
  await lines(runtime, response, [
    ...words.map((word) => ({ ...head, response: word, done: false })),
    { ...head, response: "", ...last },
  ]);
}

export async function chat({ runtime, response, body }: Asked, model: string): Promise<void> {
  runtime.loaded.add(tagged(model));
  const head = { model, created_at: modified };
  const message = (content: string, more: object = {}) => ({
    ...head,
    message: { role: "assistant", content, ...more },
  });
  const end = { done_reason: "stop", done: true, ...durations, ...counts, eval_duration: 2_371_000_000 };
  const tools = body["tools"];
  const calls = Array.isArray(tools)
    ? {
        tool_calls: tools.map((tool) => ({
          function: { name: (tool as { function: { name: string } }).function.name, arguments: { city: "Zürich" } },
        })),
      }
    : undefined;
  if (body["stream"] === false) return json(response, 200, { ...message(calls ? "" : words.join(""), calls), ...end });
  const said = calls ? [message("", calls)] : words.map((word) => message(word));
  await lines(runtime, response, [...said.map((each) => ({ ...each, done: false })), { ...message(""), ...end }]);
}

export async function complete({ runtime, response, body }: Asked, model: string): Promise<void> {
  const head = { id: "chatcmpl-417", created: 1_762_000_000, model, system_fingerprint: "fp_ollama" };
  const usage = { prompt_tokens: 26, completion_tokens: 8, total_tokens: 34 };
  if (body["stream"] !== true) {
    const message = { role: "assistant", content: words.join("") };
    return json(response, 200, {
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage,
    });
  }
  const chunk = (delta: object, reason: string | null) => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const chunks: object[] = [
    ...words.map((content) => chunk({ role: "assistant", content }, null)),
    chunk({ role: "assistant", content: "" }, "stop"),
  ];
  const options = body["stream_options"];
  if (isRecord(options) && options["include_usage"] === true)
    chunks.push({ ...head, object: "chat.completion.chunk", choices: [], usage });
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [at, each] of chunks.entries()) {
    await runtime.hold(at);
    response.write(`data: ${JSON.stringify(each)}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}
