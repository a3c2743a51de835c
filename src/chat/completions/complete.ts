import { requirePermission, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { anySignal } from "../../lib/stop-signal.ts";
import { findModel } from "../../models/catalog/find-model.ts";
import type { UpstreamAnswer } from "../../upstream/answers/read-upstream-answer.ts";
import { requireParams, usableParams } from "../chat-params.ts";
import { isTemporaryOnly } from "../conversations/require-storing.ts";
import { startAnswer } from "../conversations/start-answer.ts";
import { converse } from "../converse.ts";
import { streamHeaders } from "../dialects/stream-headers.ts";
import { isStored } from "../events/message-items.ts";
import { withInstructions, type FolderContext } from "../folders/folder-context.ts";
import type { TurnPlace } from "../functions/turn-place.ts";
import { instructionsOfTemporary } from "../own-instructions.ts";
import { withSources } from "../retrieval/with-sources.ts";
import { startTurns } from "../start-turns.ts";
import { followRights } from "./follow-rights.ts";
import type { CompletionRequest } from "./schema.ts";
import { storeReply, type ReplyStore } from "./store-reply.ts";

/**
 * One chat completion over HTTP: JSON, or a stream of events with `stream: true`. With `chat_id` question and answer
 * are stored in that chat; with `session_id` and `id` the turn runs in the caller's session coordinator instead.
 * @param caller `signal`: when it fires, the provider's connection is closed immediately, also before its first byte;
 *   `since`: when the request was accepted, epoch milliseconds
 * @throws AppError and UpstreamError, as long as no status line has been sent
 */
export async function complete(
  ctx: Context,
  request: CompletionRequest,
  caller: { signal: AbortSignal; since: number },
): Promise<Response> {
  requireParams(ctx, request.params);
  checkFiles(ctx, request);
  checkTemporary(ctx, request);
  if (request.message_ids || (request.session_id && request.id)) return Response.json(await startTurns(ctx, request));
  const chatId = storedChatId(request);
  if (!request.messages?.length && !chatId)
    throw new AppError("validation_failed", "messages: at least one message is required", { param: "messages" });
  const model = await findModel(ctx, request.model, { direct: true });
  const stream = request.stream === true;
  const stored = chatId === undefined ? undefined : await beginStored(ctx, request, chatId);
  const rights = followRights(ctx, request.model, { stream, since: caller.since });
  const body = stored
    ? withStored(request, stored)
    : withInstructions(request, await instructionsOfTemporary(ctx, request));
  try {
    const signals = stream
      ? { signal: caller.signal, refusal: rights.signal }
      : { signal: anySignal([caller.signal, rights.signal]) };
    const conversed = await converse(ctx, model, {
      body,
      stream,
      ...signals,
      onDelta: stored?.store.add,
      place: placeOf(request, stored),
      knowledge: stored?.folder.knowledge,
      position: stored && (() => stored.store.text.content.length),
    });
    const { answer } = conversed;
    if (answer.kind === "json" && rights.signal.aborted) conversed.outlet?.close();
    if (answer.kind === "json") rights.signal.throwIfAborted();
    const finished = answer.kind === "stream" ? answer.finished : Promise.resolve(answer.reply);
    void finished.then(rights.end);
    stored?.store.follow(finished, conversed.outlet);
    const { retrieval, images } = conversed;
    if (!retrieval && !images?.length) return respond(answer);
    return respond(withSources(answer, retrieval ?? { sources: [], notes: [] }, images));
  } catch (error) {
    rights.end();
    stored?.store.fail(rights.refusal() ? rights.signal.reason : error);
    throw rights.refusal() ?? error;
  }
}

/**
 * People who may have only temporary chats need no permission for them.
 * @throws AppError `forbidden`
 */
function checkTemporary(ctx: Context, { chat_id: id }: CompletionRequest): void {
  if (id && !isStored(id) && !isTemporaryOnly(requireUser(ctx))) requirePermission(ctx, "chat.temporary");
}

/**
 * Files attached to one message. Open WebUI's clients also send the files of earlier messages.
 * @throws AppError `validation_failed`
 */
function checkFiles(ctx: Context, { files, user_message: question, chat_id: chatId }: CompletionRequest): void {
  const { RAG_FILE_MAX_COUNT: maxFiles } = ctx.settings;
  const attached = question ? question["files"] : chatId ? undefined : files;
  if (Array.isArray(attached) && attached.length > maxFiles)
    throw new AppError("validation_failed", `files: at most ${maxFiles} can be attached to one message`, {
      param: "files",
    });
}

function storedChatId({ chat_id: id }: CompletionRequest): string | undefined {
  return id && isStored(id) ? id : undefined;
}

/**
 * What functions are told about the turn, and where their events go: what they write becomes part of the stored answer.
 */
function placeOf(request: CompletionRequest, stored: Stored | undefined): TurnPlace {
  const sessionId = request.session_id ?? undefined;
  if (!stored) return { chatId: request.chat_id ?? undefined, messageId: request.id ?? undefined, sessionId };
  return { ...stored.place, sessionId, text: stored.store.text };
}

interface Stored {
  place: { chatId: string; messageId: string; runId: string };
  store: ReplyStore;
  history: { role: string; content: unknown }[];
  files: Record<string, unknown>[];
  folder: FolderContext;
  /** Parameters stored with the chat, as far as the caller may use them. */
  params: Record<string, unknown>;
}

function withStored(request: CompletionRequest, { history, files, folder, params }: Stored): Record<string, unknown> {
  const body = {
    ...request,
    params: { ...params, ...request.params },
    ...(request.messages?.length ? {} : { messages: history }),
    ...(files.length > 0 ? { files: [...files, ...(request.files ?? [])] } : {}),
  };
  return withInstructions(body, folder.instructions);
}

/** Fills the message with `id`, or appends the last question and its answer to the current branch. */
async function beginStored(ctx: Context, request: CompletionRequest, chatId: string): Promise<Stored> {
  const last = request.messages?.at(-1);
  if (!request.id && last?.role !== "user") {
    throw new AppError("validation_failed", "messages: to be stored in the chat, the last message must be the user's", {
      param: "messages",
    });
  }
  const messageId = request.id ?? newId();
  const runId = newId();
  const extra = request.files?.length ? { files: request.files } : {};
  const { history, files, folder, params, hasWebhook } = await startAnswer(ctx, {
    chatId,
    messageId,
    runId,
    model: request.model,
    question: request.id ? undefined : { id: newId(), content: last!.content as string, extra },
    parentId: undefined,
    mode: request.id ? "fill" : "start",
  });
  const place = { chatId, messageId, runId };
  return {
    place,
    store: storeReply(ctx, place, hasWebhook),
    history,
    files,
    folder,
    params: usableParams(requireUser(ctx), params),
  };
}

function respond(answer: UpstreamAnswer): Response {
  if (answer.kind === "json") {
    answer.headers.set("content-type", "application/json");
    return new Response(answer.body, { headers: answer.headers });
  }
  return new Response(answer.body, { headers: streamHeaders(answer.headers) });
}
