import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { validationError } from "../../http/validation-error.ts";
import { findModel, type ResolvedModel } from "../../models/catalog/find-model.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { requireParams } from "../chat-params.ts";
import { followRights, type FollowedRights } from "../completions/follow-rights.ts";
import { converse, isPlain } from "../converse.ts";
import { convertStream } from "../dialects/convert-stream.ts";
import { streamHeaders } from "../dialects/stream-headers.ts";
import { estimateInput, sampled } from "./estimate-input.ts";
import { fromCompletion } from "./from-completion.ts";
import { type AnswerOptions, createMessagesConverter } from "./messages-converter.ts";
import { nativeBody } from "./native-body.ts";
import { passNative } from "./pass-native.ts";
import { readDocuments } from "./read-documents.ts";
import { answerUpstreamError } from "./render-error.ts";
import { type CountRequest, countRequest, type MessagesRequest, messagesRequest } from "./schema.ts";
import { toCompletion } from "./to-completion.ts";

/** Who asks, and how. */
export interface MessagesCaller {
  /** When it fires, the provider is let go at once, also before its first byte. */
  signal: AbortSignal;
  /** When the request was let in, epoch milliseconds. */
  since: number;
  /** The request's; providers that speak the dialect get `anthropic-version` and `anthropic-beta`. */
  headers: Headers;
}

/**
 * One request of the Messages API, for whatever model: JSON, or a stream of events with `stream: true`. Providers that speak the
 * dialect are handed the body as it came, where nothing of the service has a part in the turn; all others are asked for a chat
 * completion, which is said in the dialect.
 * @param body the request, unchecked
 * @returns also the failures of a provider, in the dialect
 * @throws AppError, as long as no status line is sent
 */
export async function answerMessages(ctx: Context, body: unknown, caller: MessagesCaller): Promise<Response> {
  const request = parseMessages(body);
  requireParams(ctx, request.params);
  requireFewFiles(ctx, request);
  const model = await findModel(ctx, request.model);
  const rights = followRights(ctx, request.model, { stream: request.stream === true, since: caller.since });
  try {
    const isNative = speaksDialect(model) && isPlain(model, request);
    const response = isNative
      ? await answerNative(ctx, model, request, { caller, rights })
      : await answerConverted(ctx, model, request, { caller, rights });
    response.headers.set("request-id", ctx.requestId);
    return response;
  } catch (error) {
    rights.end();
    const why = rights.refusal ?? error;
    if (why instanceof UpstreamError) return answerUpstreamError(why, ctx.requestId);
    throw why;
  }
}

/**
 * What does not fit is 400 in this dialect, whose SDKs know 422 as something else.
 * @throws AppError `bad_request`
 */
export function parseMessages(body: unknown): MessagesRequest {
  const parsed = messagesRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  throw asBadRequest(validationError(parsed.error));
}

/** The same for what is counted only. @throws AppError `bad_request` */
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

/** As for chat completions: so many can be attached to one message. @throws AppError `bad_request` */
function requireFewFiles(ctx: Context, { files }: MessagesRequest): void {
  const { RAG_FILE_MAX_COUNT: most } = ctx.settings;
  if (files && files.length > most)
    throw new AppError("bad_request", `files: at most ${most} can be attached to one message`, { param: "files" });
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
  const both = AbortSignal.any([caller.signal, rights.signal]);
  const keepsBlocks = speaksDialect(model);
  const readable = keepsBlocks ? request : await readDocuments(ctx, request, both);
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

/** Models think whether they are told to or not: it is shown, unless the client says that it is not to be. */
function showsThinking({ thinking }: MessagesRequest): boolean {
  return thinking?.type !== "disabled" && thinking?.["display"] !== "omitted";
}
