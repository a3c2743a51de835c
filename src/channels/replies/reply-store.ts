import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { AnswerText } from "../../chat/answer-text.ts";
import type { AnswerStore } from "../../chat/conversations/answer-writer.ts";
import type { AnswerEnd } from "../../chat/conversations/write-answer.ts";
import type { Services } from "../../context.ts";
import { cleanJson, cleanText } from "../../lib/clean-text.ts";
import { toldChannel } from "../channel-row.ts";
import { announce } from "../messages/announce-messages.ts";
import { messageView } from "../messages/message-view.ts";
import { selectMessages } from "../messages/select-messages.ts";
import { selectTold } from "../select-managed.ts";
import type { ToldChannel } from "../tell-channel.ts";
import type { Reply } from "./load-reply.ts";

type Storing = Pick<Services, "db" | "channels" | "waitUntil">;

export interface ReplyStoreOptions {
  text: AnswerText;
  /** Holds as long as the answer is this runner's to write. */
  held: SQL;
  /** Holds as long as whoever asks may go on. */
  mayGoOn: () => SQL;
  /** What of the text is stored now; `before`: what was before that, in UTF-16 units. */
  onStored(before: number): void;
  /** Resolves when no piece of the text is on its way to the tabs any more. */
  ending(): Promise<void>;
}

/** How an answer gets into its message, for `createAnswerWriter`: its text as a whole each time, which can be tried again. */
export function createReplyStore(
  services: Storing,
  { id, channel }: Reply,
  { text, held, mayGoOn, onStored, ending }: ReplyStoreOptions,
): AnswerStore & { channel(): ToldChannel } {
  let told: ToldChannel = channel;
  let stored = 0;
  const isMine = sql`id = ${id} AND state = 'streaming' AND deleted_at IS NULL AND ${held}`;
  return {
    channel: () => told,
    async writeProgress() {
      const { db } = services;
      const length = text.content.length;
      const content = cleanText(text.content);
      const [written, channels] = await db.batch([
        db.run(sql`
          UPDATE channel_messages SET content = ${content}, updated_at = max(updated_at + 1, ${Date.now()})
          WHERE ${isMine} AND ${mayGoOn()}`),
        selectTold(db, channel.id),
      ]);
      if (channels[0]) told = toldChannel(channels[0]);
      if (written.rowsAffected === 0) return false;
      onStored(Math.min(stored, length));
      stored = length;
      return true;
    },
    async finishAnswer(_services, _place, end) {
      await ending();
      return endReply(services, id, isMine, {
        content: cleanText(text.content),
        error: end.error,
        meta: metaOf(end),
      });
    },
  };
}

/** What is kept with an answer beside its text. */
function metaOf({ state, extra }: AnswerEnd): Record<string, unknown> {
  return { ...extra, ...(state === "stopped" ? { stopped: true } : {}) };
}

export interface ReplyEnd {
  /** Undefined: the text stays as it is. */
  content?: string;
  error?: { message: string; code: string } | undefined;
  meta?: Record<string, unknown>;
}

/** Statement: ends an answer that is being written. @param which a condition over `channel_messages` */
export function endStatement(db: Services["db"], which: SQL, { content, error, meta = {} }: ReplyEnd) {
  return db.run(sql`
    UPDATE channel_messages SET state = ${error ? "error" : "done"}, error = ${error ? cleanJson(error) : null},
      content = ${content === undefined ? sql`content` : content}, meta = json_patch(meta, ${cleanJson(meta)}),
      updated_at = max(updated_at + 1, ${Date.now()})
    WHERE state = 'streaming' AND ${which}`);
}

/**
 * Ends an answer and tells the channel what it has come to. One round trip.
 * @param which a condition over `channel_messages`
 * @param after statements for the same transaction
 * @returns whether it was this caller that has ended it
 */
export async function endReply(
  services: Storing,
  id: string,
  which: SQL,
  end: ReplyEnd,
  after: readonly BatchItem<"sqlite">[] = [],
): Promise<boolean> {
  const { db } = services;
  const [written, ...shown] = await db.batch([endStatement(db, which, end), ...selectShown(db, id), ...after]);
  if (written.rowsAffected === 0) return false;
  show(services, shown);
  return true;
}

/** Tells the channel what an answer is now. One round trip. */
export async function showReply(services: Storing, id: string): Promise<void> {
  show(services, await services.db.batch(selectShown(services.db, id)));
}

/** Statements, for the end of a batch: what `show` reads. */
export function selectShown(db: Services["db"], id: string) {
  return [
    selectTold(db, sql`(SELECT channel_id FROM channel_messages WHERE id = ${id})`),
    selectMessages(db, null, sql`m.id = ${id} AND m.deleted_at IS NULL`),
  ] as const;
}

type Shown = readonly [
  Awaited<ReturnType<typeof selectTold>>,
  Awaited<ReturnType<typeof selectMessages>>,
  ...unknown[],
];

export function show(services: Storing, [channels, rows]: Shown): void {
  const [channel] = channels;
  const [row] = rows;
  if (channel && row) announce(services, toldChannel(channel), [{ what: "updated", message: messageView(row, null) }]);
}
