import type { Context } from "../context.ts";
import { answerFailure, answerFrom } from "./answer-from.ts";
import { askRuntimes } from "./ask-runtimes.ts";
import { findRuntimeModel } from "./find-runtime-model.ts";
import type { ProxyCall } from "./proxy-call.ts";
import { requestHeaders } from "./proxy-headers.ts";
import { chosenRuntimes, runtimesFor } from "./runtimes.ts";

const address = /^\/v1\/models\/(.+)$/;

/** The id in the address of one model of OpenAI's list; undefined for another address. */
export function listedModelIn({ request, target }: Pick<ProxyCall, "request" | "target">): string | undefined {
  const [, id] = address.exec(target.path) ?? [];
  if (id === undefined || (request.method !== "GET" && request.method !== "HEAD")) return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/**
 * One model, in its runtime's format.
 * @throws AppError `model_not_found`
 */
export async function showListedModel(ctx: Context, { request, target }: ProxyCall, id: string): Promise<Response> {
  const { snapshot, runtimes } = await runtimesFor(ctx);
  const chosen = { snapshot, runtimes: chosenRuntimes(runtimes, target.runtime) };
  const { places } = await findRuntimeModel(ctx, chosen, id);
  const requests = places.map(({ runtime, name }) => ({
    runtime,
    path: `/v1/models/${encodeURIComponent(name)}${target.query}`,
    body: null,
  }));
  const answer = await askRuntimes(ctx, requests, {
    method: request.method,
    headers: requestHeaders(request.headers),
    signal: request.signal,
    idempotent: true,
    model: "",
  });
  return answer.response.ok ? answerFrom(answer) : answerFailure(answer);
}
