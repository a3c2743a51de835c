import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { cleanJson, cleanText } from "../../lib/clean-text.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { hasChatRoom, tooManyChats } from "../../people/totals/chat-room.ts";
import { firstWords } from "../../shared/chat-title.ts";
import { itemKeys } from "../events/item-keys.ts";
import { folderContextOf, selectFolders, type FolderContext, type FolderOnTheWay } from "../folders/folder-context.ts";
import { findFolderForChat } from "../folders/folder-of-chat.ts";
import { readableFolders } from "../folders/readable-folders.ts";
import { ownInstructions } from "../own-instructions.ts";
import { attachedFiles } from "./attached-files.ts";
import { selectPath, toModelMessages, type ModelMessage, type PathRow } from "./load-path.ts";
import { readContent, type MessageState } from "./read-stored-message.ts";
import { requireRoom, requireStoring } from "./require-storing.ts";
import type { StoredMessage } from "./schema.ts";

export interface AnswerStart {
  /** Undefined: the answer creates a new chat. */
  chatId: string | undefined;
  /** Id of the assistant message. */
  messageId: string;
  runId: string;
  model: string;
  /** Stored first, unless the chat already has it; the answer is its child. */
  question?:
    | {
        id: string;
        content: StoredMessage["content"];
        extra?: Record<string, unknown>;
        /**
         * The client has not said that the question is new: if the answer already exists, it stays below its question.
         */
        isImplied?: boolean;
      }
    | undefined;
  /** The parent of the question, or of the answer if there is no question. Undefined: the current message. */
  parentId: string | null | undefined;
  /**
   * What may happen to an existing assistant message: `start` fills only a placeholder, or finds an answer that was
   * started before; `fill` does the same for a message that must exist, and replaces an answer that has ended;
   * `continue` continues the text of one that has ended.
   */
  mode: "start" | "fill" | "continue";
  /** One of several answers to the same question, but not the first: the current branch does not change. */
  isBeside?: boolean | undefined;
  /** What a chat created for this answer stores: the answering models and its parameters. */
  newChat?: { models: readonly string[]; params: Record<string, unknown>; folderId?: string | undefined } | undefined;
}

export interface StartedAnswer {
  chatId: string;
  /** The run that writes the message; an earlier run if this start was a repetition. */
  runId: string;
  isRepeated: boolean;
  isNewChat: boolean;
  /** No other answer of the chat has come to its end, so nothing has named it yet. */
  isUnanswered: boolean;
  state: MessageState;
  /** The branch above the answer, and the answer itself if it is continued. */
  history: ModelMessage[];
  /** The rows of `history`. */
  path: PathRow[];
  /** Existing text and reasoning of a continued answer. */
  content: string;
  reasoning: string;
  /** Parameters kept with the chat. */
  params: Record<string, unknown>;
  /** Files attached to the chat and to the questions of the branch, oldest first. */
  files: Record<string, unknown>[];
  /** What the folder of the chat adds. */
  folder: FolderContext;
  /** The person's instructions for all of their chats (`settings.ui.system`, as in Open WebUI); empty without any. */
  ownInstructions: string;
  /** Whether the person has a webhook that may have to be called at the end. */
  hasWebhook: boolean;
}

/** A run without a sign of life for this long is dead; seconds. */
export const maxSilenceSeconds = 120;

interface Outcome {
  params: string;
  files: string | null;
  role: string | null;
  run_id: string | null;
  state: MessageState | null;
  content: string;
  reasoning: string;
  has_webhook: 0 | 1;
  is_full: 0 | 1;
  is_unanswered: 0 | 1;
  own_instructions: string | null;
}

/**
 * Stores the question and an empty answer, creates the chat if there is none, and makes the answer current: one batch,
 * all or nothing, also with concurrent writers. Repeating it with the same ids changes nothing.
 * @throws AppError `forbidden` for people who may have only temporary chats; `limit_reached` for people who have as many
 *   chats as they may; `not_found` for a chat that is unknown or
 *   not the caller's, for an unknown parent, message or folder; `conflict` for a message that is not an answer or that another
 *   run is writing; `validation_failed` for a chat that has as many messages as it may have.
 */
export async function startAnswer(ctx: Context, start: AnswerStart): Promise<StartedAnswer> {
  const user = requireStoring(ctx);
  const now = ctx.now();
  const chatId = start.chatId ?? (await chatIdFor(user.id, start.messageId));
  const place = placeOf(ctx, start, chatId, user, now);
  const results = await runBatch(ctx.db, [
    ...(start.chatId === undefined ? [ctx.db.run(insertChat(ctx, start, chatId, user))] : []),
    ...(start.question ? [ctx.db.run(insertQuestion(start, place, now))] : []),
    ctx.db.run(
      start.mode === "fill" || start.mode === "continue"
        ? reuseAnswer(start, place, now)
        : insertAnswer(start, place, now),
    ),
    // What belonged to the answer before, its calls of tools and what they brought, goes with its text.
    ...(start.mode === "fill" ? [ctx.db.run(dropItems(start, chatId))] : []),
    ctx.db.run(sql`
      UPDATE chats SET ${start.isBeside ? sql`` : sql`current_message_id = ${start.messageId},`} updated_at = ${now},
        models = CASE models WHEN '[]' THEN json_array(${start.model}) ELSE models END
      WHERE id = ${chatId} AND EXISTS (SELECT 1 FROM messages WHERE chat_id = ${chatId} AND id = ${start.messageId} AND run_id = ${start.runId})`),
    ctx.db.all<Outcome>(sql`
      SELECT c.params, c.extra -> 'files' AS files, a.role, a.run_id, a.state, a.content, a.reasoning,
        EXISTS (SELECT 1 FROM webhook_endpoints WHERE owner = c.user_id AND is_enabled = 1) AS has_webhook,
        CASE WHEN a.id IS NULL THEN NOT ${place.hasRoom(1)} ELSE 0 END AS is_full,
        NOT EXISTS (SELECT 1 FROM messages d WHERE d.chat_id = c.id AND d.role = 'assistant' AND d.state = 'done' AND d.id <> ${start.messageId}) AS is_unanswered,
        (SELECT ${ownInstructions} FROM users u WHERE u.id = c.user_id) AS own_instructions
      FROM chats c LEFT JOIN messages a ON a.chat_id = c.id AND a.id = ${start.messageId}
      WHERE c.id = ${chatId} AND c.user_id = ${user.id}`),
    ctx.db.all<PathRow>(
      selectPath(
        chatId,
        user.id,
        start.mode === "continue"
          ? sql`${start.messageId}`
          : sql`(SELECT parent_id FROM messages WHERE chat_id = ${chatId} AND id = ${start.messageId})`,
      ),
    ),
    ctx.db.all<FolderOnTheWay>(selectFolders(user, chatId)),
  ]);
  const [[outcome], path, way] = results.slice(-3) as [Outcome[], PathRow[], FolderOnTheWay[]];
  const files = attachedFiles([
    outcome?.files ?? null,
    ...path.map(({ role, files: own }) => (role === "user" ? own : null)),
  ]);
  if (!outcome && start.chatId === undefined) {
    if (start.newChat?.folderId) await findFolderForChat(ctx, start.newChat.folderId);
    throw tooManyChats(ctx);
  }
  if (outcome?.role === null && outcome.is_full) requireRoom(ctx, ctx.settings.MAX_CHAT_MESSAGES + 1);
  return {
    ...judge(start, outcome),
    chatId,
    history: toModelMessages(path),
    path,
    files,
    folder: folderContextOf(user, way),
  };
}

function judge(
  start: AnswerStart,
  outcome: Outcome | undefined,
): Omit<StartedAnswer, "chatId" | "history" | "path" | "files" | "folder"> {
  if (!outcome) throw new AppError("not_found", "No such chat", { param: "chat_id" });
  if (outcome.role === null || outcome.state === null) {
    if (start.mode !== "start")
      throw new AppError("not_found", `No message ${start.messageId} in this chat`, { param: "id" });
    throw new AppError("not_found", `No message ${start.parentId} in this chat`, {
      param: "parent_id",
    });
  }
  const isMine = outcome.run_id === start.runId;
  const isRepeated = !isMine && start.mode === "start" && outcome.role === "assistant" && outcome.run_id !== null;
  if (!isMine && !isRepeated) {
    throw new AppError(
      "conflict",
      outcome.state === "streaming"
        ? "An answer is being written into this message"
        : "This message is not a pending answer",
      { param: "id" },
    );
  }
  const params = tryParseJson(outcome.params);
  return {
    runId: outcome.run_id!,
    isRepeated,
    isNewChat: start.chatId === undefined && !isRepeated,
    isUnanswered: outcome.is_unanswered === 1,
    state: outcome.state,
    content: outcome.content,
    reasoning: outcome.reasoning,
    params: isRecord(params) ? params : {},
    ownInstructions: outcome.own_instructions ?? "",
    hasWebhook: outcome.has_webhook === 1,
  };
}

/** Conditions shared by several statements; each refers to the chat row `c`. */
interface Place {
  owned: SQL;
  parent: SQL;
  parentExists: SQL;
  /** Whether the answer's row may be written: it does not exist, or this start may take it over. */
  free: SQL;
  /** Whether the chat may have so many more messages. */
  hasRoom(count: number): SQL;
}

function placeOf({ settings }: Context, start: AnswerStart, chatId: string, user: User, now: number): Place {
  const { messageId, question, parentId } = start;
  const parent =
    parentId === undefined
      ? sql`(SELECT p.id FROM messages p WHERE p.chat_id = c.id AND p.id = c.current_message_id AND p.id <> ${messageId})`
      : sql`${parentId}`;
  const exists = (id: SQL) => sql`EXISTS (SELECT 1 FROM messages p WHERE p.chat_id = c.id AND p.id = ${id})`;
  const parentFound = parentId ? exists(sql`${parentId}`) : sql`1`;
  // A placeholder stands where its client put it; only a question that comes along must be the one above it.
  const isBelow = question && !question.isImplied ? sql`a.parent_id IS ${question.id}` : sql`1`;
  const isDead = sql`(a.state <> 'streaming' OR a.updated_at < ${now - maxSilenceSeconds})`;
  const isPlaceholder = sql`(a.run_id IS NULL AND a.content = '')`;
  const mayTake = start.mode === "start" ? isPlaceholder : isDead;
  return {
    owned: sql`c.id = ${chatId} AND c.user_id = ${user.id}`,
    parent,
    parentExists: question ? sql`(${exists(sql`${question.id}`)} OR ${parentFound})` : parentFound,
    free: sql`NOT EXISTS (SELECT 1 FROM messages a WHERE a.chat_id = c.id AND a.id = ${messageId} AND NOT (a.role = 'assistant' AND ${isBelow} AND ${mayTake}))`,
    hasRoom: (count) =>
      sql`((SELECT count(*) FROM messages m WHERE m.chat_id = c.id) <= ${settings.MAX_CHAT_MESSAGES - count})`,
  };
}

function insertChat(ctx: Context, start: AnswerStart, chatId: string, user: User): SQL {
  const now = ctx.now();
  const room = hasChatRoom(ctx, user.id);
  const { content } = readContent(start.question?.content);
  const { models, params, folderId } = start.newChat ?? { models: [start.model], params: {} };
  const mayRead = folderId === undefined ? sql`` : sql` AND ${folderId} IN ${readableFolders(user)}`;
  return sql`
    INSERT INTO chats (id, user_id, organization_id, title, models, params, meta, variables, extra, folder_id, created_at, updated_at)
    SELECT ${chatId}, ${user.id}, ${user.organizationId}, ${firstWords(content ?? "")}, ${JSON.stringify(models)}, ${cleanJson(params)}, '{}', '{}', '{}', ${folderId ?? null}, ${now}, ${now}
    WHERE ${room}${mayRead}
    ON CONFLICT (id) DO NOTHING`;
}

function insertQuestion(start: AnswerStart, place: Place, now: number): SQL {
  const { id, content: given, extra = {}, isImplied } = start.question!;
  const { content, parts } = readContent(given);
  const placed = isImplied
    ? sql` AND NOT EXISTS (SELECT 1 FROM messages a WHERE a.chat_id = c.id AND a.id = ${start.messageId})`
    : sql``;
  return sql`
    INSERT INTO messages (chat_id, user_id, id, parent_id, role, content, parts, extra, created_at, updated_at)
    SELECT c.id, c.user_id, ${id}, ${place.parent}, 'user', ${cleanText(content ?? "")}, ${parts ? cleanJson(parts) : null}, ${cleanJson({ models: [start.model], ...extra })}, ${now}, ${now}
    FROM chats c WHERE ${place.owned} AND ${place.parentExists} AND ${place.free} AND ${place.hasRoom(2)}${placed}
    ON CONFLICT (chat_id, id) DO NOTHING`;
}

function insertAnswer(start: AnswerStart, place: Place, now: number): SQL {
  const parent = start.question ? sql`${start.question.id}` : place.parent;
  return sql`
    INSERT INTO messages (chat_id, user_id, id, parent_id, role, content, model, state, extra, run_id, created_at, updated_at)
    SELECT c.id, c.user_id, ${start.messageId}, ${parent}, 'assistant', '', ${start.model}, 'streaming', '{}', ${start.runId}, ${now}, ${now}
    FROM chats c WHERE ${place.owned} AND ${place.parentExists} AND ${place.free} AND ${place.hasRoom(1)}
    ON CONFLICT (chat_id, id) DO UPDATE SET state = 'streaming', run_id = excluded.run_id, step = 0, model = excluded.model, error = NULL,
      extra = json_remove(messages.extra, '$.done', '$.finish_reason'), updated_at = excluded.updated_at`;
}

function reuseAnswer(start: AnswerStart, place: Place, now: number): SQL {
  const text = start.mode === "continue" ? sql`` : sql`content = '', parts = NULL, reasoning = '', usage = NULL,`;
  const keys =
    start.mode === "continue"
      ? sql`'$.done', '$.finish_reason'`
      : sql.raw(
          ["done", "edited", "finish_reason", "followUps", "originalContent", ...Object.values(itemKeys)]
            .map((key) => `'$.${key}'`)
            .join(", "),
        );
  return sql`
    UPDATE messages SET ${text} state = 'streaming', run_id = ${start.runId}, step = 0, model = ${start.model}, error = NULL,
      extra = json_remove(extra, ${keys}), updated_at = ${now}
    WHERE id = ${start.messageId} AND chat_id = (SELECT c.id FROM chats c WHERE ${place.owned} AND ${place.free})`;
}

function dropItems({ messageId, runId }: AnswerStart, chatId: string): SQL {
  return sql`
    DELETE FROM message_items WHERE chat_id = ${chatId} AND message_id = ${messageId}
      AND EXISTS (SELECT 1 FROM messages WHERE chat_id = ${chatId} AND id = ${messageId} AND run_id = ${runId})`;
}

/**
 * The id of a chat that an answer creates: always the same for the same person and message, so that a repeated start
 * finds the chat of the first (a UUID of version 8: RFC 9562, section 5.8).
 */
async function chatIdFor(userId: string, messageId: string): Promise<string> {
  const text = new TextEncoder().encode(`parley chat\n${userId}\n${messageId}`);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text)).slice(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
