import { toApiError } from "../../../lib/api-error.ts";
import { api, apiResponse } from "../../../lib/api.ts";
import { at } from "../../../lib/base-path.ts";
import { readUnreachable } from "../../../lib/read-unreachable.ts";
import { texts } from "./texts.ts";

/** The outcome of one level: how long it took, and what to know about it. */
export interface CheckResult {
  ok: boolean;
  milliseconds: number;
  text: string;
  requestId?: string | undefined;
}

export interface ModelsResult extends CheckResult {
  models: { id: string; name: string }[];
  unreachable: string[];
}

/** Level 1: the service is up and its database answers. */
export async function checkService(signal?: AbortSignal): Promise<CheckResult> {
  const start = performance.now();
  const done = (ok: boolean, text: string): CheckResult => ({ ok, text, milliseconds: performance.now() - start });
  try {
    const response = await fetch(at("/health"), { cache: "no-store", signal: signal ?? null });
    const body = (await response.json()) as { status: boolean; reason?: string };
    return done(response.ok, response.ok ? "" : (texts.reasons[body.reason ?? ""] ?? body.reason ?? texts.noAnswer));
  } catch (cause) {
    if (signal?.aborted) throw cause;
    return done(false, texts.noAnswer);
  }
}

/** Level 2: at least one model is listed. Names the connections that contributed nothing. */
export async function checkModels(signal?: AbortSignal): Promise<ModelsResult> {
  const start = performance.now();
  const rest = { models: [], unreachable: [] };
  try {
    const response = await apiResponse("GET", "/api/models", { signal });
    const milliseconds = performance.now() - start;
    const { data } = (await response.json()) as { data: { id: string; name: string }[] };
    const unreachable = readUnreachable(response.headers);
    const text = [
      data.length > 0 ? texts.models(data.length) : texts.noModels,
      unreachable.length > 0 ? texts.unreachable(unreachable.join(", ")) : "",
    ]
      .filter(Boolean)
      .join(" · ");
    return { ok: data.length > 0, milliseconds, text, models: data, unreachable };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    const error = toApiError(cause);
    return {
      ok: false,
      milliseconds: performance.now() - start,
      text: error.message,
      requestId: error.requestId,
      ...rest,
    };
  }
}

/** Level 3: a model really answers. */
export async function checkAnswer(model: string): Promise<CheckResult> {
  const start = performance.now();
  const done = (ok: boolean, text: string, requestId?: string): CheckResult => ({
    ok,
    text,
    requestId,
    milliseconds: performance.now() - start,
  });
  try {
    const body = { model, stream: false, messages: [{ role: "user", content: texts.question }] };
    const answer = await api<{ choices?: { message?: { content?: string | null } }[] }>(
      "POST",
      "/api/chat/completions",
      { body, timeout: 120_000 },
    );
    const content = answer.choices?.[0]?.message?.content?.trim() ?? "";
    return content === ""
      ? done(false, texts.empty)
      : done(true, texts.answered(content.length > 160 ? `${content.slice(0, 160)}…` : content));
  } catch (cause) {
    const error = toApiError(cause);
    return done(false, error.message, error.requestId);
  }
}
