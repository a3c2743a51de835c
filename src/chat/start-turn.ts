import { hasPermission, heldCredential, requireUser, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { writeTraceparent } from "../lib/traces/trace-context.ts";
import { findModel } from "../models/catalog/find-model.ts";
import type { RunStart } from "../ports.ts";
import { usableParams } from "./chat-params.ts";
import { compactionOf } from "./compaction/compaction-of.ts";
import { withSummary } from "./compaction/with-summary.ts";
import type { CompletionRequest } from "./completions/schema.ts";
import { announceList } from "./conversations/announce-chats.ts";
import type { StoredMessage } from "./conversations/schema.ts";
import { startAnswer, type AnswerStart, type StartedAnswer } from "./conversations/start-answer.ts";
import { finishAnswer } from "./conversations/write-answer.ts";

/** The immediate response to a turn that runs in the background. */
export interface StartedTurn {
  status: true;
  task_ids: string[];
  chat_id: string;
}

/** The position of a turn among several that answer the same question. */
export interface AmongOthers {
  /** All answering models, for the chat that the first one creates. */
  models: readonly string[];
  isBeside: boolean;
}

/**
 * Starts a turn in the caller's session coordinator: question and empty answer are stored before this returns, the text
 * is sent over the live socket. Repeating it with the same `id` returns the same run, never a second answer.
 * @throws AppError as `findModel` and `startAnswer`; `validation_failed` for a turn without a question
 */
export async function startTurn(
  ctx: Context,
  request: CompletionRequest,
  among: AmongOthers = { models: [request.model], isBeside: false },
): Promise<StartedTurn> {
  const user = requireUser(ctx);
  const model = await findModel(ctx, request.model, { direct: true });
  const start = readStart(request, among);
  const started = await startAnswer(ctx, start);
  const turn: StartedTurn = { status: true, task_ids: [started.runId], chat_id: started.chatId };
  if (started.isRepeated && started.state !== "streaming") return turn;
  const run: RunStart = {
    runId: started.runId,
    credential: heldCredential(user),
    chatId: started.chatId,
    messageId: start.messageId,
    model: request.model,
    body: bodyOf(request, started, user, compactionOf(ctx, model) !== undefined),
    ...instructionsFor(request, started, user),
    ...branchEndOf(request, start, started),
    continueFrom:
      start.mode === "continue"
        ? { content: started.content, reasoning: started.reasoning }
        : { content: "", reasoning: "" },
    generateTitle: ctx.settings.ENABLE_TITLE_GENERATION && wants(request, started, "title_generation"),
    generateTags: ctx.settings.ENABLE_TAGS_GENERATION && wants(request, started, "tags_generation"),
    hasWebhook: started.hasWebhook,
    ...(started.folder.knowledge.length > 0 ? { knowledge: started.folder.knowledge } : {}),
    origin: ctx.origin,
    ...(ctx.span ? { traceparent: writeTraceparent(ctx.span.context) } : {}),
  };
  try {
    await ctx.live.startRun(run);
  } catch (error) {
    // Nothing writes this answer: say so in the chat too, and now.
    const said =
      error instanceof AppError
        ? { message: error.message, code: error.code }
        : { message: "The answer could not be started", code: "internal_error" };
    await finishAnswer(
      ctx,
      { chatId: run.chatId, messageId: run.messageId, runId: run.runId },
      { state: "error", error: said },
    );
    throw error;
  }
  if (started.isNewChat) announceList(ctx, user.id, started.chatId);
  return turn;
}

function readStart(request: CompletionRequest, { models, isBeside }: AmongOthers): AnswerStart {
  const { chat_id: chatId, id: messageId, model, user_message: given, parent_id: parentId } = request;
  if (chatId && /^(temporary|local):/.test(chatId)) {
    throw new AppError(
      "validation_failed",
      "chat_id: temporary chats cannot run in the background: leave out session_id",
      { param: "chat_id" },
    );
  }
  const mode = request.continue ? "continue" : "start";
  const question = mode === "continue" ? undefined : questionOf(request);
  if (!chatId && mode === "continue")
    throw new AppError("validation_failed", "chat_id: required to continue an answer", { param: "chat_id" });
  if (!chatId && !question)
    throw new AppError("validation_failed", "user_message: required for a new chat", {
      param: "user_message",
    });
  const parentOfQuestion = given?.parentId === undefined && parentId !== given?.id ? parentId : given?.parentId;
  return {
    chatId: chatId ?? undefined,
    messageId: messageId ?? newId(),
    runId: newId(),
    model,
    question,
    parentId: chatId ? (given ? parentOfQuestion : parentId) : null,
    mode,
    isBeside,
    newChat: {
      models: keptModels(request) ?? models,
      params: request.params ?? {},
      folderId: request.folder_id || undefined,
    },
  };
}

/** The models of the chat, where another one answers this turn only: the chat keeps them. */
function keptModels({ model, user_message: given }: CompletionRequest): string[] | undefined {
  const models: unknown = given?.["models"];
  if (given?.["turnModel"] !== model || !Array.isArray(models)) return undefined;
  const ids = (models as unknown[])
    .filter((id): id is string => typeof id === "string" && id.length <= 256)
    .slice(0, 50);
  return ids.length > 0 ? ids : undefined;
}

/** The question of the turn; undefined if it is already in the chat. */
function questionOf(request: CompletionRequest): AnswerStart["question"] {
  const { user_message: given, messages, parent_id: parentId } = request;
  const last = messages?.at(-1);
  const lastContent = last?.role === "user" ? (last.content as StoredMessage["content"]) : undefined;
  if (given) {
    const { id, parentId: _, content, role: _role, childrenIds: _children, timestamp: _time, ...extra } = given;
    return { id, content: content ?? lastContent, extra };
  }
  // A parent that is named is the question; without one the last message is, below what the chat shows.
  if (parentId || lastContent === undefined) return undefined;
  const extra = request.files?.length ? { files: request.files } : {};
  return { id: newId(), content: lastContent, extra, isImplied: true };
}

/**
 * The person's instructions, then those of the folders: what is meant for less comes later. The model's come before them, and
 * the chat's after. The person's count as long as they may write such, and where the chat does not go without
 * (`personal_instructions: false` among its parameters).
 */
function instructionsFor(
  request: CompletionRequest,
  { ownInstructions, folder, params }: StartedAnswer,
  user: User,
): { instructions?: string[] } {
  const isOff = { ...params, ...request.params }["personal_instructions"] === false;
  const isOwn = ownInstructions.trim() !== "" && !isOff && hasPermission(user, "chat.system_prompt");
  const all = [...(isOwn ? [ownInstructions.trim()] : []), ...folder.instructions];
  return all.length > 0 ? { instructions: all } : {};
}

/** The last message of the branch that the model gets, where it comes from the chat. */
function branchEndOf(request: CompletionRequest, start: AnswerStart, { path }: StartedAnswer): { branchEnd?: string } {
  const last = start.mode === "continue" ? start.messageId : path.at(-1)?.id;
  return request.messages?.length || last === undefined ? {} : { branchEnd: last };
}

/** @param isCompacted summaries stand in the place of what they are of */
function bodyOf(
  request: CompletionRequest,
  started: StartedAnswer,
  user: User,
  isCompacted: boolean,
): Record<string, unknown> {
  const { user_message: _, messages: given, ...own } = request;
  // Those of the request last: what it says of a file is what counts now.
  const files = [...started.files, ...(request.files ?? [])];
  const params = { ...usableParams(user, started.params), ...request.params };
  const rest = { ...own, params, ...(files.length > 0 ? { files } : {}) };
  if (!given || given.length === 0)
    return { ...rest, messages: isCompacted ? withSummary(started.path) : started.history };
  const messages = [...given];
  if (request.continue && started.content !== "" && messages.at(-1)?.role !== "assistant")
    messages.push({ role: "assistant", content: started.content });
  return { ...rest, messages };
}

/**
 * Whether something is to be written about the chat in the background: as the client says, otherwise for new chats. A title
 * is also written when the first answers were stopped or failed, because those name no chat.
 */
function wants(
  request: CompletionRequest,
  started: StartedAnswer,
  task: "title_generation" | "tags_generation",
): boolean {
  const isUnnamed = started.isNewChat || (task === "title_generation" && started.isUnanswered);
  return request.background_tasks?.[task] ?? isUnnamed;
}
