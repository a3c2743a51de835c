import { asc, sql } from "drizzle-orm";
import { buildMessage } from "../../chat/conversations/build-chat.ts";
import { messageColumns } from "../../chat/conversations/chats.ts";
import { readTree, type TreeRow } from "../../chat/conversations/read-in-pages.ts";
import type { WireMessage } from "../../chat/conversations/schema.ts";
import type { Owner } from "../../chat/conversations/write-messages.ts";
import type { Context } from "../../context.ts";
import { isTooLarge } from "../../db/database-error.ts";
import { chats, messageItems, messages } from "../../stored-chats/tables.ts";
import type { ExportedRecord } from "./record-source.ts";

/** What a part of a large chat holds. */
const inPart = { bytes: 1_000_000, messages: 500 };

/**
 * Where a message is when parents come before children: as it was inserted, unless it was moved below a later one. Its own number
 * or that of the latest one above it, then how deep it is, then its own number.
 */
export type MessagePlace = readonly [rank: number, depth: number, number: number];

/** The next part of a large chat as a record; `last` is undefined at its end. */
export async function readPart(
  ctx: Context,
  chat: Owner,
  after: MessagePlace,
): Promise<{ records: ExportedRecord[]; last: MessagePlace | undefined }> {
  const open = placed(await readTree(ctx.db, chat)).filter(({ place }) => compare(place, after) > 0);
  const part: string[] = [];
  let bytes = 0;
  for (const { row } of open) {
    bytes += row.size;
    if (part.length > 0 && (bytes > inPart.bytes || part.length >= inPart.messages)) break;
    part.push(row.id);
  }
  if (part.length === 0) return { records: [], last: undefined };
  const { messages: loaded, currentId, count } = await loadPart(ctx, chat.chatId, part);
  const record = {
    kind: "chat_messages",
    id: `${chat.chatId}/${part[0]!}`,
    chat_id: chat.chatId,
    person_id: chat.userId,
    messages: Object.fromEntries(loaded.map((message) => [message.id, exportedMessage(message)])),
    current_id: currentId,
  };
  return { records: [record], last: count === open.length ? undefined : open[count - 1]!.place };
}

/** A message in a copy, where nothing goes on writing it. */
export function exportedMessage({ lastItem: _place, ...message }: WireMessage): Record<string, unknown> {
  return message.state === "streaming" ? { ...message, state: "interrupted", done: true } : message;
}

function compare(one: MessagePlace, other: MessagePlace): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

function placed(tree: readonly TreeRow[]): { row: TreeRow; place: MessagePlace }[] {
  const known = new Map(tree.map((row) => [row.id, row]));
  const places = new Map<string, MessagePlace>();
  for (const start of tree) {
    const trail: TreeRow[] = [];
    for (let at: TreeRow | undefined = start; at && !places.has(at.id); at = known.get(at.parentId ?? ""))
      trail.push(at);
    for (const row of trail.reverse()) {
      const [rank, depth] = places.get(row.parentId ?? "") ?? [0, 0];
      places.set(row.id, [Math.max(rank, row.number), depth + 1, row.number]);
    }
  }
  return tree.map((row) => ({ row, place: places.get(row.id)! })).sort((a, b) => compare(a.place, b.place));
}

/** The first of the messages, as many as the database sends at once. */
async function loadPart({ db }: Pick<Context, "db">, chatId: string, ids: readonly string[]) {
  for (let count = ids.length; ; count = Math.ceil(count / 4)) {
    const given = sql`(SELECT value FROM json_each(${JSON.stringify(ids.slice(0, count))}))`;
    const { chatId: _chat, userId: _user, ...columns } = messageColumns;
    try {
      const [[chat], rows, items] = await db.batch([
        db
          .select({ current: chats.currentMessageId })
          .from(chats)
          .where(sql`${chats.id} = ${chatId}`),
        db
          .select(columns)
          .from(messages)
          .where(sql`${messages.chatId} = ${chatId} AND ${messages.id} IN ${given}`)
          .orderBy(asc(messages.number)),
        db
          .select({
            messageId: messageItems.messageId,
            number: messageItems.number,
            kind: messageItems.kind,
            data: messageItems.data,
          })
          .from(messageItems)
          .where(sql`${messageItems.chatId} = ${chatId} AND ${messageItems.messageId} IN ${given}`)
          .orderBy(asc(messageItems.number)),
      ]);
      const itemsOf = Map.groupBy(items, (item) => item.messageId);
      const built = rows.map((row) => buildMessage(row, itemsOf.get(row.id) ?? []));
      return { messages: built, currentId: chat?.current ?? null, count };
    } catch (error) {
      if (count === 1 || !isTooLarge(error)) throw error;
    }
  }
}
