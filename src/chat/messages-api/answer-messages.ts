import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { validationError } from "../../http/validation-error.ts";
import { anySignal, runtimeSignal } from "../../lib/stop-signal.ts";
import { findModel, type ResolvedModel } from "../../models/catalog/find-model.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { requireParams } from "../chat-params.ts";
import { followRights, type FollowedRights } from "../completions/follow-rights.ts";
import { converse, isPlain } from "../converse.ts";
import { convertStream } from "../dialects/convert-stream.ts";
import { streamHeaders } from "../dialects/stream-headers.ts";
import { answerUpstreamError } from "./answer-upstream-error.ts";
import { estimateInput, sampled } from "./estimate-input.ts";
import { fromCompletion } from "./from-completion.ts";
import { type AnswerOptions, createMessagesConverter } from "./messages-converter.ts";
import { nativeBody } from "./native-body.ts";
import { passNative } from "./pass-native.ts";
import { readDocuments } from "./read-documents.ts";
import { type CountRequest, countRequest, type MessagesRequest, messagesRequest } from "./schema.ts";
import { toCompletion } from "./to-completion.ts";

/** The caller of a request. */
export interface MessagesCaller {
  /** When it fires, the provider's connection is closed immediately, also before its first byte. */
  signal: AbortSignal;
  /** When the request was accepted, epoch milliseconds. */
  since: number;
  /** The request's headers; native providers receive `anthropic-version` and `anthropic-beta`. */
  headers: Headers;
}

/**
 * One request of the Messages API, for any model: JSON, or a stream of events with `stream: true`. Native providers get
 * the body unchanged if no part of the service takes part in the turn; all others are asked for a chat completion,
 * which is converted.
 * @param body the request, unchecked
 * @returns also failures of a provider, in the dialect
 * @throws AppError, as long as no status line has been sent
 */
export async function answerMessages(ctx: Context, body: unknown, caller: MessagesCaller): Promise<Response> {
  const request = parseMessages(body);
  requireParams(ctx, request.params);
  requireFewFiles(ctx, request);
  const model = await findModel(ctx, request.model, { direct: true });
  const rights = followRights(ctx, request.model, { stream: request.stream === true, since: caller.since });
  try {
    const isNative = speaksDialect(model) && isPlain(ctx, model, request);
    const response = isNative
      ? await answerNative(ctx, model, request, { caller, rights })
      : await answerConverted(ctx, model, request, { caller, rights });
    response.headers.set("request-id", ctx.requestId);
    return response;
  } catch (error) {
    rights.end();
    const why = rights.refusal() ?? error;
    if (why instanceof UpstreamError) return answerUpstreamError(why, ctx.requestId);
    throw why;
  }
}

/**
 * Invalid input is 400 in this dialect, because its SDKs treat 422 differently.
 * @throws AppError `bad_request`
 */
export function parseMessages(body: unknown): MessagesRequest {
  const parsed = messagesRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  throw asBadRequest(validationError(parsed.error));
}

/**
 * The same for counting tokens.
 * @throws AppError `bad_request`
 */
export function parseCount(body: unknown): CountRequest {
  const parsed = countRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  throw asBadRequest(validationError(parsed.error));
}

function asBadRequest({ message, issues, param }: AppError): AppError {
  return new AppError("bad_request", message, { ...(issues ? { issues } : {}), ...(param ? { param } : {}) });
}

export function speaksDialect({ driver }: ResolvedModel): boolean {
  return driver.messages !== undefined;
}

/**
 * The limit of attached files, as for chat completions.
 * @throws AppError `bad_request`
 */
function requireFewFiles(ctx: Context, { files }: MessagesRequest): void {
  const { RAG_FILE_MAX_COUNT: maxFiles } = ctx.settings;
  if (files && files.length > maxFiles)
    throw new AppError("bad_request", `files: at most ${maxFiles} can be attached to one message`, { param: "files" });
}

interface Asking {
  caller: MessagesCaller;
  rights: FollowedRights;
}

async function answerNative(
  ctx: Context,
  model: ResolvedModel,
  request: MessagesRequest,
  { caller, rights }: Asking,
): Promise<Response> {
  return passNative(ctx, model, {
    body: nativeBody(request, { ...model.params, ...request.params }),
    headers: caller.headers,
    signal: caller.signal,
    refusal: rights.signal,
    requestId: ctx.requestId,
    onEnd: rights.end,
  });
}

async function answerConverted(
  ctx: Context,
  model: ResolvedModel,
  request: MessagesRequest,
  { caller, rights }: Asking,
): Promise<Response> {
  const stream = request.stream === true;
  const both = anySignal([caller.signal, rights.signal]);
  const keepsBlocks = speaksDialect(model);
  const readable = keepsBlocks ? request : await readDocuments(ctx, request, runtimeSignal(both));
  const { answer, outlet } = await converse(ctx, model, {
    body: toCompletion(readable, { keepsBlocks }),
    stream,
    api: "messages",
    ...(stream ? { signal: caller.signal, refusal: rights.signal } : { signal: both }),
    place: { chatId: undefined, messageId: undefined },
  });
  // They belong to stored chats.
  outlet?.close();
  const options: AnswerOptions = {
    model: request.model,
    sequences: request.stop_sequences ?? [],
    showsThinking: showsThinking(request),
    inputTokens: estimateInput(readable, sampled.quick),
    requestId: ctx.requestId,
  };
  if (answer.kind === "json") {
    rights.signal.throwIfAborted();
    rights.end();
    const headers = new Headers(answer.headers);
    headers.set("content-type", "application/json");
    return new Response(JSON.stringify(fromCompletion(answer.value, options)), { headers });
  }
  void answer.finished.then(rights.end);
  return new Response(convertStream(answer.body, createMessagesConverter(options)), {
    headers: streamHeaders(answer.headers),
  });
}

/** Some models always think: their thinking is shown unless the client disables it. */
function showsThinking({ thinking }: MessagesRequest): boolean {
  return thinking?.type !== "disabled" && thinking?.["display"] !== "omitted";
}
