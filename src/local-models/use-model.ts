import { followRights, type FollowedRights } from "../chat/completions/follow-rights.ts";
import type { Context } from "../context.ts";
import { anySignal, runtimeSignal, StopController } from "../lib/stop-signal.ts";
import { idleMs } from "../models/call-model.ts";
import { endCallSpan, startCallSpan, tellProvider } from "../usage/call-span.ts";
import { requireQuota } from "../usage/quotas/require-quota.ts";
import { recordUse } from "../usage/record-use.ts";
import type { UsageState } from "../usage/schema.ts";
import { answerFailure, answerFrom } from "./answer-from.ts";
import { askRuntimes, type RuntimeAnswer } from "./ask-runtimes.ts";
import { convertCall } from "./convert-call.ts";
import { estimateCall } from "./estimate-call.ts";
import { findRuntimeModel, type RuntimeModel } from "./find-runtime-model.ts";
import type { ProxyCall } from "./proxy-call.ts";
import { requestHeaders } from "./proxy-headers.ts";
import { modelIn, readCallBody, type CallBody } from "./read-call-body.ts";
import { readTailUsage } from "./read-tail-usage.ts";
import { chosenRuntimes, runtimesFor } from "./runtimes.ts";
import { sayFarewell } from "./say-farewell.ts";
import { watchAnswer, type WatchedEnd } from "./watch-answer.ts";

/** Only says what a model is: the model itself is not asked. */
const isLookUp = ({ target }: ProxyCall) => target.path === "/api/show";

/**
 * Calls one model with the runtime's own API: the body is passed on unchanged except for the model's prefix, and the
 * answer is returned byte for byte. If several runtimes have the model, the next is tried when one fails before its
 * first byte.
 * @throws AppError `model_not_found`, `quota_exceeded`, `bad_request`; UpstreamError if no runtime responds
 */
export async function useModel(ctx: Context, proxied: ProxyCall): Promise<Response> {
  const body = await readCallBody(proxied, isLookUp(proxied) ? ["model", "name"] : ["model"]);
  const { snapshot, runtimes } = await runtimesFor(ctx);
  const chosen = { snapshot, runtimes: chosenRuntimes(runtimes, proxied.target.runtime) };
  const found = await findRuntimeModel(ctx, chosen, modelIn(body));
  const model = await convertCall(ctx, proxied, found, body);
  if (model instanceof Response) return model;
  if (isLookUp(proxied)) {
    const answer = await ask(ctx, proxied, model, body, proxied.request.signal);
    return answer.response.ok ? answerFrom(answer) : answerFailure(answer);
  }
  const stored = snapshot.stored.get(model.id);
  await requireQuota(ctx, { id: model.id, stored });
  const rights = followRights(ctx, model.id, { stream: true, since: proxied.since });
  const abort = new StopController();
  const startedAt = Date.now();
  const estimate = estimateCall(body);
  const operation = /embed/.test(proxied.target.path) ? "embeddings" : "chat";
  const [{ runtime }] = model.places as [RuntimeModel["places"][number]];
  const span = startCallSpan(ctx, operation, { id: model.id, kind: runtime.kind, connection: runtime });
  const record = (state: UsageState, answer?: RuntimeAnswer, end?: WatchedEnd) => {
    const ended = {
      firstAt: end?.firstAt,
      usage: end && (readTailUsage(end.tail) ?? estimate(end)),
      state,
      ...(state === "error" ? { code: answer ? `http_${answer.response.status}` : "upstream_unreachable" } : {}),
    };
    endCallSpan(span, ended);
    recordUse(ctx, {
      api: "local",
      model: { id: model.id, stored },
      connectionId: answer?.runtime.id,
      startedAt,
      ...ended,
    });
  };
  try {
    const signal = runtimeSignal(anySignal([proxied.request.signal, rights.signal, abort.signal]));
    const answer = await ask(tellProvider(ctx, span), proxied, model, body, signal);
    const { ok, body: answered } = answer.response;
    if (ok && answered)
      return answerFrom(
        answer,
        watched(ctx, answer, rights, abort, (end) => record(end.state, answer, end)),
      );
    rights.end();
    record(ok ? "done" : "error", answer);
    return ok ? answerFrom(answer) : await answerFailure(answer);
  } catch (error) {
    rights.end();
    record(proxied.request.signal.aborted || rights.refusal() ? "stopped" : "error");
    throw rights.refusal() ?? error;
  }
}

function watched(
  ctx: Context,
  { response, runtime }: RuntimeAnswer,
  rights: FollowedRights,
  abort: StopController,
  onEnd: (end: WatchedEnd) => void,
): ReadableStream<Uint8Array> {
  const type = response.headers.get("content-type") ?? "";
  return watchAnswer(response.body!, {
    refusal: rights.signal,
    idleMs: idleMs(ctx.settings, runtime),
    farewell: (reason) => sayFarewell(type, reason),
    onCancel: (reason) => abort.abort(reason),
    onEnd(end) {
      rights.end();
      onEnd(end);
    },
  });
}

function ask(
  ctx: Context,
  { request, target }: ProxyCall,
  model: RuntimeModel,
  body: CallBody,
  signal: AbortSignal,
): Promise<RuntimeAnswer> {
  const requests = model.places.map(({ runtime, name }) => ({
    runtime,
    path: `${target.path}${target.query}`,
    body: body.renamed(() => name),
  }));
  return askRuntimes(ctx, requests, {
    method: request.method,
    headers: requestHeaders(request.headers),
    signal,
    idempotent: true,
    model: model.id,
  });
}
