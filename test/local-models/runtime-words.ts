import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { FakeRuntime } from "./fake-runtime.ts";

/** What models say, word for word. */
export const words = ["Paris ", "is ", "the ", "capital ", "of ", "France – ", "la «ville ", "lumière» 🗼."];
export const counts = { prompt_eval_count: 26, eval_count: 8 };
export const digest = (name: string) => createHash("sha256").update(name).digest("hex");
export const modified = "2026-01-02T03:04:05.678901234+01:00";
export const details = {
  parent_model: "",
  format: "gguf",
  family: "tiny",
  families: ["tiny"],
  parameter_size: "1.2B",
  quantization_level: "Q4_K_M",
};
export const durations = {
  total_duration: 5_589_157_167,
  load_duration: 3_013_701_500,
  prompt_eval_duration: 1_160_282_000,
};

export const tagged = (name: string) => (/:[^/]*$/.test(name) ? name : `${name}:latest`);
export const entry = (model: string) => ({ name: model, model, modified_at: modified, size: 2_019_393_189 });
export const openAiEntry = (id: string) => ({ id, object: "model", created: 1_767_319_445, owned_by: "library" });

export async function lines(
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

export function fail(path: string, response: ServerResponse, status: number, message: string): void {
  const isOpenAi = path.startsWith("/v1/");
  const type = status === 404 ? "not_found_error" : status < 500 ? "invalid_request_error" : "api_error";
  json(response, status, { error: isOpenAi ? { message, type, param: null, code: null } : message });
}

export function json(response: ServerResponse, status: number, value: unknown): void {
  end(response, status, JSON.stringify(value), "application/json; charset=utf-8");
}

export function end(response: ServerResponse, status: number, text: string, type?: string): void {
  response.writeHead(status, { ...(type ? { "content-type": type } : {}), "x-runtime": "fake" });
  response.end(text);
}
