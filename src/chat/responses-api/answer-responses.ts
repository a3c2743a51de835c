import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { validationError } from "../../http/validation-error.ts";
import { anySignal, runtimeSignal } from "../../lib/stop-signal.ts";
import { findModel, type ResolvedModel } from "../../models/catalog/find-model.ts";
import { answerUpstreamError } from "../../upstream/errors/answer-upstream-error.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { chunksOfCompletion } from "../../upstream/repair/convert-completion.ts";
import { requireParams } from "../chat-params.ts";
import { followRights, type FollowedRights } from "../completions/follow-rights.ts";
import { isTemporaryOnly } from "../conversations/require-storing.ts";
import { converse } from "../converse.ts";
import { convertStream } from "../dialects/convert-stream.ts";
import { streamHeaders } from "../dialects/stream-headers.ts";
import { weightOf } from "./input-items.ts";
import { keepResponse, maxKeptLength } from "./keep-response.ts";
import { type Conversation, readConversation } from "./read-conversation.ts";
import { readFiles } from "./read-files.ts";
import { responseHead } from "./response-head.ts";
import { createResponsesConverter, type ResponsesConverter } from "./responses-converter.ts";
import { type ResponsesRequest, responsesRequest } from "./schema.ts";
import { type ChatTools, toChatTools } from "./to-chat-tools.ts";
import { toCompletion } from "./to-completion.ts";

/** The caller of a request. */
export interface ResponsesCaller {
  /** When it fires, the provider's connection is closed immediately, also before its first byte. */
  signal: AbortSignal;
  /** When the request was accepted, epoch milliseconds. */
  since: number;
}

/**
 * One request of the Responses API, for any model: JSON, or a stream of events with `stream: true`. The model is asked
 * for a chat completion, which is converted, and stored for the caller unless `store` is `false`.
 * @param body the request, unchecked
 * @returns also failures of a provider, in the dialect
 * @throws AppError, as long as no status line has been sent
 */
export async function answerResponses(ctx: Context, body: unknown, caller: ResponsesCaller): Promise<Response> {
  const request = parseResponses(body);
  requireParams(ctx, request.params);
  requireFewFiles(ctx, request);
  const tools = toChatTools(request.tools);
  const model = await findModel(ctx, request.model, { direct: true });
  const conversation = await readConversation(ctx, request);
  const rights = followRights(ctx, request.model, { stream: request.stream === true, since: caller.since });
  try {
    return await answer(ctx, model, { request, tools, conversation, caller, rights });
  } catch (error) {
    rights.end();
    const why = rights.refusal() ?? error;
    if (why instanceof UpstreamError) return answerUpstreamError(why, ctx.requestId);
    throw why;
  }
}

/** @throws AppError `validation_failed`, or `bad_request` for what is not supported */
function parseResponses(body: unknown): ResponsesRequest {
  const parsed = responsesRequest.safeParse(body);
  if (!parsed.success) throw validationError(parsed.error);
  const request = parsed.data;
  if (request.background === true) throw notHere("background", "Background responses are not supported: use stream");
  if (isSaid(request.conversation))
    throw notHere("conversation", "Conversations are not supported: use previous_response_id");
  if (isSaid(request.prompt)) throw notHere("prompt", "Stored prompts are not supported: use instructions and input");
  if (!request.input?.length && !request.previous_response_id)
    throw new AppError("validation_failed", "input: Required", { param: "input" });
  return request;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function notHere(param: string, message: string): AppError {
  return new AppError("bad_request", message, { param });
}

/**
 * The limit of attached files, as for chat completions.
 * @throws AppError `validation_failed`
 */
function requireFewFiles(ctx: Context, { files }: ResponsesRequest): void {
  const { RAG_FILE_MAX_COUNT: maxFiles } = ctx.settings;
  if (files && files.length > maxFiles)
    throw new AppError("validation_failed", `files: at most ${maxFiles} can be attached to one message`, {
      param: "files",
    });
}

interface Asking {
  request: ResponsesRequest;
  tools: ChatTools;
  conversation: Conversation;
  caller: ResponsesCaller;
  rights: FollowedRights;
}

async function answer(ctx: Context, model: ResolvedModel, asking: Asking): Promise<Response> {
  const { request, tools, conversation, caller, rights } = asking;
  const stream = request.stream === true;
  const both = anySignal([caller.signal, rights.signal]);
  const isNative = model.kind === "anthropic";
  // Such a provider reads documents itself.
  const items = isNative ? conversation.items : await readFiles(ctx, conversation.items, runtimeSignal(both));
  const { answer: said, outlet } = await converse(ctx, model, {
    body: toCompletion(request, { items, tools, isNative }),
    stream,
    api: "responses",
    ...(stream ? { signal: caller.signal, refusal: rights.signal } : { signal: both }),
    place: { chatId: undefined, messageId: undefined },
  });
  // They belong to stored chats.
  outlet?.close();
  const converter = converterFor(ctx, asking);
  if (said.kind === "stream") {
    void said.finished.then(rights.end);
    const headers = streamHeaders(said.headers);
    return new Response(convertStream(said.body, converter), { headers });
  }
  rights.signal.throwIfAborted();
  rights.end();
  converter.start();
  for (const chunk of chunksOfCompletion(said.value)) converter.chunk(chunk);
  converter.end();
  await converter.beforeEnd?.();
  const headers = new Headers(said.headers);
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify(converter.response()), { headers });
}

function converterFor(ctx: Context, { request, tools, conversation }: Asking): ResponsesConverter {
  const store =
    request.store !== false && !isTemporaryOnly(requireUser(ctx)) && weightOf(conversation.input) <= maxKeptLength;
  const converter = createResponsesConverter({
    head: responseHead({ request, tools: tools.offered, store, now: ctx.now() }),
    tools,
    isSummary: isSaid(request.reasoning?.summary),
    showsMarks: request.include?.includes("reasoning.encrypted_content") === true,
    now: () => ctx.now(),
  });
  if (!store) return converter;
  return Object.assign(converter, {
    async beforeEnd() {
      if (converter.isWhole())
        await keepResponse(ctx, { response: converter.response(true), input: conversation.input });
    },
  });
}
