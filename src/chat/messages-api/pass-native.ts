import type { Context } from "../../context.ts";
import { errorFields } from "../../http/render-messages-error.ts";
import { tryParseJson } from "../../lib/json.ts";
import type { StopSignal } from "../../lib/stop-signal.ts";
import { callConnection } from "../../models/call-model.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import type { MessagesCall } from "../../models/drivers/driver.ts";
import { answerHeaders } from "../../upstream/answers/answer-headers.ts";
import {
  createUpstreamReader,
  type OpenedAnswer,
  type UpstreamReader,
} from "../../upstream/answers/upstream-reader.ts";
import { networkFailure } from "../../upstream/errors/network-failure.ts";
import {
  emptyAnswer,
  incompleteAnswer,
  invalidAnswer,
  oversizedAnswer,
  type UpstreamError,
} from "../../upstream/errors/upstream-error.ts";
import { endCallSpan, startCallSpan, tellProvider } from "../../usage/call-span.ts";
import { requireQuota } from "../../usage/quotas/require-quota.ts";
import { readUsage } from "../../usage/read-usage.ts";
import { recordUse, type Use } from "../../usage/record-use.ts";
import { frame } from "./event-frames.ts";
import { createNativeEvents } from "./native-events.ts";

export interface NativeCall {
  /** The body for the provider, except for the model's id. */
  body: Record<string, unknown>;
  /** The caller's; headers of the dialect are passed on. */
  headers: Headers;
  /** The caller's: when it fires, the provider is let go at once. */
  signal: AbortSignal;
  /** Ends the answer with its reason, an UpstreamError. */
  refusal: StopSignal;
  requestId: string;
  /** Called when the answer has ended. */
  onEnd?: (() => void) | undefined;
}

/** Maximum size of a non-streamed answer, bytes. */
const maxAnswerBytes = 32 * 1024 * 1024;

/**
 * Asks a native provider of the Messages API and passes on its answer unchanged: status, body and events. Only errors
 * are parsed, so that they reveal nothing about the connection, and only whole events are sent, so that a broken stream
 * can be reported.
 * @throws UpstreamError if there is no valid answer; AppError `quota_exceeded`
 */
export async function passNative(ctx: Context, model: ResolvedModel, call: NativeCall): Promise<Response> {
  await requireQuota(ctx, model, { request: call.body });
  const startedAt = Date.now();
  const span = startCallSpan(ctx, "chat", model);
  const record = (use: Pick<Use, "usage" | "state" | "code" | "firstAt">): void => {
    endCallSpan(span, use);
    recordUse(ctx, { api: "messages", model, connectionId: model.connection.id, startedAt, ...use });
    call.onEnd?.();
  };
  const reader = openNative(tellProvider(ctx, span), model, call, "messages");
  const onRefusal = (): void => reader.interrupt(networkFailure(call.refusal.reason));
  call.refusal.addEventListener("abort", onRefusal);
  const done = (use: Parameters<typeof record>[0]): void => {
    call.refusal.removeEventListener("abort", onRefusal);
    reader.close();
    record(use);
  };
  try {
    if (call.refusal.aborted) onRefusal();
    const opened = await reader.open();
    if (opened.form === "events") return streamed(reader, opened, { call, done });
    const text = await wholeText(reader, opened);
    const usage = readUsage(tryParseJson(text));
    done({ usage, state: "done" });
    return new Response(text, { headers: headersOf(opened, "application/json") });
  } catch (error) {
    const failure = networkFailure(error);
    reader.cancel(failure);
    done({ usage: undefined, ...stateOf(failure, call.signal) });
    throw failure;
  }
}

/**
 * The provider's own count of a request's tokens.
 * @returns undefined if it has no such endpoint
 * @throws UpstreamError if there is no valid answer
 */
export async function countNative(
  ctx: Context,
  model: ResolvedModel,
  call: Pick<NativeCall, "body" | "headers" | "signal">,
): Promise<Response | undefined> {
  const reader = openNative(ctx, model, call, "countTokens");
  try {
    const opened = await reader.open();
    return new Response(await wholeText(reader, opened), { headers: headersOf(opened, "application/json") });
  } catch (error) {
    const failure = networkFailure(error);
    if (failure.status === 404 || failure.status === 405 || failure.status === 501) return undefined;
    throw failure;
  } finally {
    reader.close();
  }
}

function openNative(
  ctx: Context,
  model: ResolvedModel,
  { body, headers, signal }: Pick<NativeCall, "body" | "headers" | "signal">,
  method: "messages" | "countTokens",
): UpstreamReader {
  const abort = new AbortController();
  const send = model.driver[method]!.bind(model.driver);
  const answer = callConnection(
    ctx,
    model.connection,
    (connection, until) => {
      const asked: MessagesCall = {
        connection,
        model: model.upstreamId,
        body,
        headers,
        signal: until,
        outbound: ctx.outbound,
      };
      return send(asked);
    },
    { signal: abort.signal, idempotent: true },
  );
  return createUpstreamReader(answer, {
    secrets: model.secrets,
    signal,
    onCancel: (reason) => abort.abort(reason),
    idleTimeoutMs: ctx.settings.UPSTREAM_TIMEOUT * 1000,
  });
}

async function wholeText(reader: UpstreamReader, opened: OpenedAnswer): Promise<string> {
  if (opened.form === "other") throw invalidAnswer("something that is not JSON");
  const { text, ended } = await reader.readText(opened, maxAnswerBytes);
  if (!ended) throw oversizedAnswer();
  if (tryParseJson(text) === undefined) throw text.trim() === "" ? emptyAnswer() : invalidAnswer("damaged JSON");
  return text;
}

function headersOf({ headers: upstream }: OpenedAnswer, type: string): Headers {
  const headers = answerHeaders(upstream);
  headers.set("content-type", type);
  return headers;
}

function stateOf(failure: UpstreamError, signal: AbortSignal): Pick<Use, "state" | "code"> {
  if (signal.aborted || failure.code === "request_cancelled") return { state: "stopped" };
  return { state: "error", code: failure.code ?? "upstream_error" };
}

/** The provider's stream in its original bytes, split only between events. */
function streamed(
  reader: UpstreamReader,
  opened: OpenedAnswer,
  { call, done }: { call: NativeCall; done: (use: Pick<Use, "usage" | "state" | "code" | "firstAt">) => void },
): Response {
  const events = createNativeEvents();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const firstAt = Date.now();
  const head = [...opened.head];
  let held = "";
  let isOver = false;

  function end(use: Pick<Use, "state" | "code">): void {
    if (isOver) return;
    isOver = true;
    done({ usage: readUsage(events.usage()), firstAt, ...use });
  }

  function errorEvent(failure: UpstreamError): string {
    return frame("error", {
      error: errorFields(failure.status, failure.message, failure.type),
      request_id: call.requestId,
    });
  }

  /** What can be sent now: up to the end of the last complete event. */
  function wholeEvents(text: string): string {
    events.add(text);
    const all = held + text;
    const cut = Math.max(all.lastIndexOf("\n\n") + 2, all.lastIndexOf("\r\n\r\n") + 4);
    const isCut = cut > 3 || all.startsWith("\n\n");
    held = isCut ? all.slice(cut) : all;
    return isCut ? all.slice(0, cut) : "";
  }

  async function next(): Promise<Uint8Array | undefined> {
    return head.shift() ?? (await reader.read());
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const bytes = await next();
            if (!bytes) {
              if (!events.isOver()) throw incompleteAnswer();
              end({
                state: events.failed() ? "error" : "done",
                ...(events.failed() ? { code: "upstream_error" } : {}),
              });
              return controller.close();
            }
            const text = wholeEvents(decoder.decode(bytes, { stream: true }));
            if (text !== "") return controller.enqueue(encoder.encode(text));
          }
        } catch (error) {
          const failure = networkFailure(error);
          const wasOver = events.isOver();
          reader.cancel(failure);
          end(wasOver ? { state: "done" } : stateOf(failure, call.signal));
          if (!wasOver) controller.enqueue(encoder.encode(errorEvent(failure)));
          controller.close();
        }
      },
      cancel(reason) {
        reader.cancel(reason);
        end({ state: "stopped" });
      },
    },
    { highWaterMark: 0 },
  );
  const headers = headersOf(opened, "text/event-stream; charset=utf-8");
  headers.set("cache-control", "no-cache, no-transform");
  headers.set("x-accel-buffering", "no");
  return new Response(body, { headers });
}
