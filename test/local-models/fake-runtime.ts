import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isRecord, tryParseJson } from "../../src/lib/json.ts";
import { checkBody } from "./runtime-shapes.ts";

/** One request as the runtime got it. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
  /** The caller went away before the answer was whole. */
  left: boolean;
}

export interface FakeRuntime {
  /** Address without a path. */
  origin: string;
  models: string[];
  /** Those in memory. */
  loaded: Set<string>;
  blobs: Set<string>;
  seen: SeenRequest[];
  /** Answered before anything else is looked at; the request is the test's where it gives true. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Awaited before each further line of a stream. */
  hold: (line: number) => Promise<void> | void;
  /** Older runtimes have no Responses and no Messages API. */
  hasNewApis: boolean;
  close(): Promise<void>;
}

/** What models say, word for word. */
export const words = ["Paris ", "is ", "the ", "capital ", "of ", "France – ", "la «ville ", "lumière» 🗼."];
export const counts = { prompt_eval_count: 26, eval_count: 8 };
const digest = (name: string) => createHash("sha256").update(name).digest("hex");
const modified = "2026-01-02T03:04:05.678901234+01:00";
const details = {
  parent_model: "",
  format: "gguf",
  family: "tiny",
  families: ["tiny"],
  parameter_size: "1.2B",
  quantization_level: "Q4_K_M",
};
const durations = { total_duration: 5_589_157_167, load_duration: 3_013_701_500, prompt_eval_duration: 1_160_282_000 };

/**
 * A stand-in for a local model runtime on a free port, as strict as the real one (https://docs.ollama.com/api): methods, types of
 * fields, names of models with `:latest`, statuses, words of errors, refusal of web pages' origins, content types, lines.
 */
export async function startFakeRuntime(models: readonly string[] = ["tiny:latest"]): Promise<FakeRuntime> {
  const runtime: FakeRuntime = {
    origin: "",
    models: [...models],
    loaded: new Set(),
    blobs: new Set(),
    seen: [],
    intercept: undefined,
    hold: () => undefined,
    hasNewApis: true,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const server = createServer((request, response) => {
    const seen: SeenRequest = {
      method: request.method!,
      url: request.url!,
      headers: request.headers,
      body: Buffer.alloc(0),
      left: false,
    };
    runtime.seen.push(seen);
    response.on("close", () => void (seen.left = !response.writableFinished));
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("error", () => undefined);
    request.on("end", () => {
      seen.body = Buffer.concat(parts);
      if (runtime.intercept?.(request, response)) return;
      void answer(runtime, seen, response).catch(() => response.destroy());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  runtime.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return runtime;
}

type Body = Record<string, unknown>;
interface Asked {
  runtime: FakeRuntime;
  seen: SeenRequest;
  response: ServerResponse;
  body: Body;
}

async function answer(runtime: FakeRuntime, seen: SeenRequest, response: ServerResponse): Promise<void> {
  const { method, headers } = seen;
  const path = seen.url.replace(/\?.*/, "");
  if (headers.origin !== undefined && !/127\.0\.0\.1|localhost/.test(headers.origin)) return end(response, 403, "");
  if (path === "/") return end(response, 200, "Ollama is running", "text/plain; charset=utf-8");
  if (path.startsWith("/api/blobs/")) return answerBlob(runtime, seen, response, path.slice("/api/blobs/".length));
  if (path.startsWith("/v1/models/")) return answerOneModel(runtime, response, decodeURIComponent(path.slice(11)));
  const name = `${method} ${path}`;
  const isNew = path === "/v1/responses" || path === "/v1/messages";
  const handler = isNew && !runtime.hasNewApis ? undefined : handlers[name];
  if (!handler) {
    const known = Object.keys(handlers).some((each) => each.endsWith(` ${path}`)) && !(isNew && !runtime.hasNewApis);
    return end(response, known ? 405 : 404, known ? "405 method not allowed" : "404 page not found", "text/plain");
  }
  if (method === "GET") return handler({ runtime, seen, response, body: {} });
  if (seen.body.length === 0) return fail(path, response, 400, "missing request body");
  const body = tryParseJson(seen.body.toString());
  if (!isRecord(body)) return fail(path, response, 400, "invalid character looking for beginning of value");
  const wrong = checkBody(path, body);
  if (wrong !== undefined) return fail(path, response, 400, wrong);
  return handler({ runtime, seen, response, body });
}

const handlers: Record<string, (asked: Asked) => Promise<void> | void> = {
  "GET /api/tags": ({ runtime, response }) =>
    json(response, 200, {
      models: runtime.models.map((model) => ({ ...entry(model), digest: digest(model), details })),
    }),
  "GET /api/ps": ({ runtime, response }) =>
    json(response, 200, {
      models: [...runtime.loaded].map((model) => ({
        ...entry(model),
        digest: digest(model),
        details,
        expires_at: "2318-01-02T03:04:05Z",
        size_vram: 2_019_393_189,
        context_length: 4096,
      })),
    }),
  "GET /api/version": ({ response }) => json(response, 200, { version: "0.12.6" }),
  "GET /v1/models": ({ runtime, response }) =>
    json(response, 200, { object: "list", data: runtime.models.map(openAiEntry) }),
  "POST /api/show": (asked) =>
    withModel(asked, "/api/show", ({ response }) =>
      json(response, 200, { modelfile: "FROM tiny", template: "{{ .Prompt }}", details, capabilities: ["completion"] }),
    ),
  "POST /api/generate": (asked) => withModel(asked, "/api/generate", generate),
  "POST /api/chat": (asked) => withModel(asked, "/api/chat", chat),
  "POST /api/embed": (asked) =>
    withModel(asked, "/api/embed", ({ response, body }, model) => {
      const inputs = Array.isArray(body["input"]) ? body["input"] : [body["input"]];
      const embeddings = inputs.map((_, at) => [0.010071029, -0.0017594862, at]);
      json(response, 200, { model, embeddings, total_duration: 14, load_duration: 1, prompt_eval_count: 5 });
    }),
  "POST /api/embeddings": (asked) =>
    withModel(asked, "/api/embeddings", ({ response }) => json(response, 200, { embedding: [0.5, -0.25] })),
  "POST /v1/chat/completions": (asked) => withModel(asked, "/v1/chat/completions", complete),
  "POST /v1/embeddings": (asked) =>
    withModel(asked, "/v1/embeddings", ({ response }, model) =>
      json(response, 200, {
        object: "list",
        data: [{ object: "embedding", embedding: [0.5], index: 0 }],
        model,
        usage: { prompt_tokens: 5, total_tokens: 5 },
      }),
    ),
  "POST /v1/responses": (asked) =>
    withModel(asked, "/v1/responses", ({ response }, model) =>
      json(response, 200, { id: "resp_1", object: "response", model, output_text: words.join(""), from: "runtime" }),
    ),
  "POST /v1/messages": (asked) =>
    withModel(asked, "/v1/messages", ({ response }, model) =>
      json(response, 200, { id: "msg_1", type: "message", role: "assistant", model, content: [], from: "runtime" }),
    ),
  "POST /api/pull": async ({ runtime, response, body }) => {
    const name = tagged(String(body["model"] ?? body["name"]));
    if (name.startsWith("missing")) {
      if (body["stream"] === false) return fail("/api/pull", response, 500, "pull model manifest: file does not exist");
      return lines(runtime, response, [
        { status: "pulling manifest" },
        { error: "pull model manifest: file does not exist" },
      ]);
    }
    const layer = `sha256:${digest(name)}`;
    const steps = [0, 25, 50, 75, 100].map((completed) => ({
      status: `pulling ${layer.slice(7, 19)}`,
      digest: layer,
      total: 100,
      ...(completed > 0 ? { completed } : {}),
    }));
    const all = [
      { status: "pulling manifest" },
      ...steps,
      { status: "verifying sha256 digest" },
      { status: "writing manifest" },
      { status: "success" },
    ];
    await lines(runtime, response, body["stream"] === false ? [{ status: "success" }] : all, () => {
      if (!runtime.models.includes(name)) runtime.models.push(name);
    });
  },
  "POST /api/push": (asked) =>
    withModel(asked, "/api/push", ({ runtime, response, body }) =>
      lines(
        runtime,
        response,
        body["stream"] === false ? [{ status: "success" }] : [{ status: "pushing manifest" }, { status: "success" }],
      ),
    ),
  "POST /api/create": async ({ runtime, response, body }) => {
    const { from } = body;
    if (typeof from === "string" && !runtime.models.includes(tagged(from)))
      return fail("/api/create", response, 404, `model '${from}' not found`);
    const name = tagged(String(body["model"] ?? body["name"]));
    const steps = [{ status: "creating new layer" }, { status: "success" }];
    const said = body["stream"] === false ? steps.slice(1) : steps;
    await lines(runtime, response, said, () => runtime.models.push(name));
  },
  "POST /api/copy": ({ runtime, response, body }) => {
    const { source, destination } = body as { source: string; destination: string };
    if (!runtime.models.includes(tagged(source)))
      return fail("/api/copy", response, 404, `model '${source}' not found`);
    runtime.models.push(tagged(destination));
    end(response, 200, "");
  },
  "DELETE /api/delete": (asked) =>
    withModel(asked, "/api/delete", ({ runtime, response }, model) => {
      runtime.models = runtime.models.filter((each) => each !== tagged(model));
      runtime.loaded.delete(tagged(model));
      end(response, 200, "");
    }),
};

/** Finds the model as the runtime does, and answers in its words where there is none. */
async function withModel(asked: Asked, path: string, use: (asked: Asked, model: string) => Promise<void> | void) {
  const { runtime, response, body } = asked;
  const said = path === "/api/show" || /(delete|push)$/.test(path) ? body["model"] || body["name"] : body["model"];
  if (typeof said !== "string" || said === "") return fail(path, response, 400, "model is required");
  if (!runtime.models.includes(tagged(said))) return fail(path, response, 404, `model '${said}' not found`);
  await use(asked, said);
}

const tagged = (name: string) => (/:[^/]*$/.test(name) ? name : `${name}:latest`);
const entry = (model: string) => ({ name: model, model, modified_at: modified, size: 2_019_393_189 });
const openAiEntry = (id: string) => ({ id, object: "model", created: 1_767_319_445, owned_by: "library" });

async function generate({ runtime, response, body }: Asked, model: string): Promise<void> {
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

async function chat({ runtime, response, body }: Asked, model: string): Promise<void> {
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

async function complete({ runtime, response, body }: Asked, model: string): Promise<void> {
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

async function lines(
  runtime: FakeRuntime,
  response: ServerResponse,
  list: readonly object[],
  onDone?: () => void,
): Promise<void> {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  for (const [at, line] of list.entries()) {
    await runtime.hold(at);
    if (response.destroyed) return;
    if (at === list.length - 1) onDone?.();
    response.write(`${JSON.stringify(line)}\n`);
  }
  response.end();
}

function answerBlob(runtime: FakeRuntime, { method, body }: SeenRequest, response: ServerResponse, name: string): void {
  if (!/^sha256[:-][0-9a-f]{64}$/.test(name)) return fail("/api/blobs", response, 400, "invalid digest format");
  if (method === "HEAD") return end(response, runtime.blobs.has(name) ? 200 : 404, "");
  if (method !== "POST") return end(response, 405, "405 method not allowed", "text/plain");
  if (`sha256:${createHash("sha256").update(body).digest("hex")}` !== name)
    return fail("/api/blobs", response, 400, "digest mismatch");
  runtime.blobs.add(name);
  end(response, 201, "");
}

function answerOneModel(runtime: FakeRuntime, response: ServerResponse, id: string): void {
  if (runtime.models.includes(tagged(id))) json(response, 200, openAiEntry(id));
  else fail("/v1/", response, 404, `model '${id}' not found`);
}

function fail(path: string, response: ServerResponse, status: number, message: string): void {
  const isOpenAi = path.startsWith("/v1/");
  const type = status === 404 ? "not_found_error" : status < 500 ? "invalid_request_error" : "api_error";
  json(response, status, { error: isOpenAi ? { message, type, param: null, code: null } : message });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  end(response, status, JSON.stringify(value), "application/json; charset=utf-8");
}

function end(response: ServerResponse, status: number, text: string, type?: string): void {
  response.writeHead(status, { ...(type ? { "content-type": type } : {}), "x-runtime": "fake" });
  response.end(text);
}
