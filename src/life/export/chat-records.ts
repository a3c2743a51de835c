import { eq, sql } from "drizzle-orm";
import { buildChat } from "../../chat/conversations/build-chat.ts";
import { loadChats } from "../../chat/conversations/chats.ts";
import type { ChatResponse } from "../../chat/conversations/schema.ts";
import type { Context } from "../../context.ts";
import { decodeCursor, encodeCursor, invalidCursor } from "../../db/page.ts";
import { chats, chatTags } from "../../stored-chats/tables.ts";
import { exportedMessage, type MessagePlace, readPart } from "./large-chat.ts";
import type { RecordPage } from "./read-records.ts";
import type { ExportedRecord, Extent } from "./record-source.ts";

/** Chats that are looked at for a page. */
const chatsAtOnce = 50;
/** What a page holds, and a chat that is one record; a larger one comes as several. */
const atOnce = { bytes: 5_000_000, messages: 3000 };

interface ChatSize {
  number: number;
  id: string;
  userId: string;
  messages: number;
  bytes: number;
}

export const chatKind = "chat";

/** How many chats there are. */
export async function countChats({ db }: Pick<Context, "db">, extent: Extent): Promise<number> {
  const [row] = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM chats t WHERE ${ofExtent(extent)}`);
  return row!.n;
}

const ofExtent = ({ personId }: Extent) => (personId === null ? sql`TRUE` : sql`t.user_id = ${personId}`);

/** Where a page ended: after which chat, and in which large one behind it after which message. */
type Place = readonly [after: number, large: number, ...message: MessagePlace];
const none = [0, 0, 0, 0] as const;

/**
 * A page of chats: as many as fit into one, or a part of a large one. What is under way counts as interrupted.
 * @throws AppError `bad_request` for an invalid cursor
 */
export async function readChats(ctx: Context, extent: Extent, cursor: string | undefined): Promise<RecordPage> {
  const given = cursor === undefined ? [0, ...none] : decodeCursor(cursor, 5).map(Number);
  if (!given.every(Number.isSafeInteger)) throw invalidCursor();
  const [after, large, ...within] = given as unknown as Place;
  const found = await ctx.db.all<ChatSize>(sql`
    SELECT t.number, t.id, t.user_id AS userId, (SELECT count(*) FROM messages m WHERE m.chat_id = t.id) AS messages,
      coalesce((SELECT sum(octet_length(m.content) + octet_length(m.reasoning) + octet_length(m.extra) + coalesce(octet_length(m.parts), 0))
        FROM messages m WHERE m.chat_id = t.id), 0)
      + coalesce((SELECT sum(octet_length(i.data)) FROM message_items i WHERE i.chat_id = t.id), 0) AS bytes
    FROM chats t WHERE t.number > ${after} AND ${ofExtent(extent)} ORDER BY t.number LIMIT ${chatsAtOnce}`);
  const [first] = found;
  if (!first) return { records: [], nextCursor: null };
  if (first.bytes > atOnce.bytes || first.messages > atOnce.messages) {
    if (first.number !== large)
      return {
        records: await withFolderPaths(ctx, extent, await emptyChat(ctx, first)),
        nextCursor: encodeCursor([after, first.number, 0, 0, 0]),
      };
    const { records, last } = await readPart(ctx, { chatId: first.id, userId: first.userId }, within);
    return { records, nextCursor: encodeCursor(last ? [after, large, ...last] : [first.number, ...none]) };
  }
  const fitting: ChatSize[] = [];
  const sum = { bytes: 0, messages: 0 };
  for (const chat of found) {
    sum.bytes += chat.bytes;
    sum.messages += chat.messages;
    if (fitting.length > 0 && (sum.bytes > atOnce.bytes || sum.messages > atOnce.messages)) break;
    fitting.push(chat);
  }
  const loaded = await loadChats(
    ctx.db,
    fitting.map(({ id }) => id),
  );
  const isEnd = fitting.length === found.length && found.length < chatsAtOnce;
  const nextCursor = isEnd ? null : encodeCursor([fitting.at(-1)!.number, ...none]);
  return { records: await withFolderPaths(ctx, extent, loaded.map(chatRecord)), nextCursor };
}

/** Chats of one person with the names of their folders, the outermost first: elsewhere there may be none with these ids. */
async function withFolderPaths(
  { db }: Pick<Context, "db">,
  { personId }: Extent,
  records: ExportedRecord[],
): Promise<ExportedRecord[]> {
  const ids = new Set(records.flatMap((record) => record["folder_id"] ?? []));
  if (personId === null || ids.size === 0) return records;
  const rows = await db.all<{ id: string; path: string }>(sql`
    SELECT g.value AS id, (WITH RECURSIVE up(id, parent_id, name, depth) AS (
        SELECT id, parent_id, name, 1 FROM folders WHERE id = g.value AND user_id = ${personId}
        UNION ALL SELECT f.id, f.parent_id, f.name, up.depth + 1 FROM up JOIN folders f ON f.id = up.parent_id WHERE up.depth < 100)
      SELECT json_group_array(name) FROM (SELECT name FROM up ORDER BY depth DESC)) AS path
    FROM json_each(${JSON.stringify([...ids])}) g`);
  const paths = new Map(rows.map(({ id, path }) => [id, JSON.parse(path) as string[]]));
  return records.map((record) => {
    const path = paths.get(String(record["folder_id"])) ?? [];
    return path.length === 0 ? record : { ...record, folder_path: path };
  });
}

/** A large chat without its messages. */
async function emptyChat({ db }: Pick<Context, "db">, { id }: ChatSize): Promise<ExportedRecord[]> {
  const [rows, tags] = await db.batch([
    db.select().from(chats).where(eq(chats.id, id)),
    db.select({ name: chatTags.name }).from(chatTags).where(eq(chatTags.chatId, id)).orderBy(chatTags.name),
  ]);
  return rows.map((row) =>
    chatRecord(
      buildChat(
        row,
        [],
        [],
        tags.map(({ name }) => name),
      ),
    ),
  );
}

/** The chat as the import takes it, with all its messages. */
function chatRecord({ chat, ...row }: ChatResponse): ExportedRecord {
  const { messages: _shown, title: _title, history, ...document } = chat;
  const { tags: _ids, ...meta } = row.meta;
  const sound = Object.entries(history.messages).map(([id, message]) => [id, exportedMessage(message)]);
  return {
    kind: chatKind,
    id: row.id,
    person_id: row.user_id,
    folder_id: row.folder_id,
    title: row.title,
    chat: { ...document, history: { currentId: history.currentId, messages: Object.fromEntries(sound) } },
    meta,
    variables: row.variables,
    pinned: row.pinned,
    archived: row.archived,
    created_at: row.created_at,
    updated_at: row.updated_at,
    last_read_at: row.last_read_at,
  };
}
