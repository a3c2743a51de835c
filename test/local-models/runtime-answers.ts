import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { isRecord, tryParseJson } from "../../src/lib/json.ts";
import type { FakeRuntime, SeenRequest } from "./fake-runtime.ts";
import { type Asked, chat, complete, generate, withModel } from "./runtime-models.ts";
import { checkBody } from "./runtime-shapes.ts";
import { details, digest, end, entry, fail, json, lines, openAiEntry, tagged, words } from "./runtime-words.ts";

/** Answers as a runtime does. */
export async function answerAsRuntime(
  runtime: FakeRuntime,
  seen: SeenRequest,
  response: ServerResponse,
): Promise<void> {
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
