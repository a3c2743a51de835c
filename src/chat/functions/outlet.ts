import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import type { AnswerText } from "../answer-text.ts";
import { announce } from "../conversations/announce-chats.ts";
import { isStored } from "../events/message-items.ts";
import type { FunctionCaller } from "./function-caller.ts";
import { loadBranch, type BranchMessage } from "./load-branch.ts";
import { runOutlets } from "./run-outlets.ts";
import { storeTexts, type NewText } from "./store-texts.ts";
import type { TurnPlace } from "./turn-place.ts";

export interface OutletTurn {
  body: Record<string, unknown>;
  place: TurnPlace;
  /** Called for each filter that failed. */
  onFailed(filter: PluginEntry, message: string): void;
}

/** The outlet filters of one turn. */
export interface Outlet {
  /**
   * Runs them on the finished chat and applies their changes to the text of the answer, which the writer then stores.
   * Changes to other messages are stored here. Never fails: without filters the chat stays as it is.
   * @param signal cancels them; the answer stays as it is
   * @returns what is stored with the message: its original text, if it changed
   */
  filter(text: AnswerText, signal: AbortSignal): Promise<{ originalContent?: string }>;
  /** Tells tabs about the changes, after the answer is stored. */
  announce(): void;
  /** Call it when the turn has ended, whether or not the filters ran. */
  close(): void;
}

/** Undefined if no outlet filter applies, or the turn belongs to no stored message. */
export function createOutlet(
  ctx: Context,
  filters: readonly PluginEntry[],
  functions: FunctionCaller,
  turn: OutletTurn,
): Outlet | undefined {
  const { chatId, messageId } = turn.place;
  const outlets = filters.filter(({ info }) => info.hooks.includes("outlet"));
  if (outlets.length === 0 || !isStored(chatId) || messageId === undefined) return undefined;
  let changed: NewText[] = [];

  async function filterBranch(content: string, signal: AbortSignal): Promise<string> {
    const branch = (await loadBranch(ctx, chatId!, messageId!)).map((message) =>
      message.id === messageId ? { ...message, content } : message,
    );
    if (branch.length === 0) return content;
    const payload = await runOutlets(outlets, functions, payloadOf(turn, branch), signal, (filter, error) =>
      turn.onFailed(filter, error.message),
    );
    const texts = changedTexts(branch, payload["messages"]);
    const others = texts.filter(({ id }) => id !== messageId);
    const mine = texts.find(({ id }) => id === messageId);
    changed = [...(await storeTexts(ctx, chatId!, others)), ...(mine ? [mine] : [])];
    return mine?.content ?? content;
  }

  async function run(content: string, signal: AbortSignal): Promise<string> {
    try {
      return await filterBranch(content, signal);
    } catch (error) {
      ctx.log.error("outlet filters failed", { chat_id: chatId, error });
      return content;
    }
  }

  return {
    async filter(text, signal) {
      const before = text.content;
      const after = await run(before, signal);
      if (after === before) return {};
      // What events wrote meanwhile comes after it.
      text.replace(after + (text.content.startsWith(before) ? text.content.slice(before.length) : ""));
      return { originalContent: before };
    },
    announce() {
      if (changed.length === 0) return;
      const data = { type: "chat:outlet", data: { messages: changed } };
      announce(ctx, requireUser(ctx).id, { chat_id: chatId, message_id: messageId, data });
    },
    close: () => functions.close(),
  };
}

function payloadOf({ body, place }: OutletTurn, messages: readonly BranchMessage[]): Record<string, unknown> {
  return {
    model: body["model"],
    messages,
    filter_ids: Array.isArray(body["filter_ids"]) ? (body["filter_ids"] as unknown[]) : [],
    chat_id: place.chatId,
    session_id: place.sessionId ?? null,
    id: place.messageId,
  };
}

/** Messages whose text has changed; one without an id is identified by its position. */
function changedTexts(before: readonly BranchMessage[], after: unknown): NewText[] {
  const list = Array.isArray(after) ? (after as unknown[]) : [];
  const known = new Map(before.map(({ id, content }) => [id, content]));
  return list.flatMap((message, at) => {
    if (!isRecord(message) || typeof message["content"] !== "string") return [];
    const id = typeof message["id"] === "string" ? message["id"] : list.length === before.length ? before[at]!.id : "";
    const { content } = message;
    return known.has(id) && known.get(id) !== content ? [{ id, content }] : [];
  });
}
