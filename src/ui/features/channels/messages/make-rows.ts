import type { ChannelMessage, ShownAs } from "../../../../channels/schema.ts";

/** What stands in the list, one below the other. Keys are unique and stay the same while the list grows. */
export type Row =
  | { kind: "day"; key: string; at: number }
  | { kind: "new"; key: string }
  | {
      kind: "message";
      key: string;
      message: ChannelMessage;
      /** Its author and time stand above it; otherwise it goes on what stands before it. */
      isHead: boolean;
    };

/** Messages of one author within this time (ms) stand together under one name. */
const together = 5 * 60_000;

export interface RowOptions {
  /** The first message after this number that is not the person's own gets the line of new ones above it. */
  newAfter?: number | undefined;
  isOwn?: (message: ChannelMessage) => boolean;
  /** Without lines between days: in threads, which are short. */
  withoutDays?: boolean;
}

/**
 * Makes the rows of a list of messages. Pure.
 * @param messages by their numbers, the earliest first
 */
export function makeRows(messages: readonly ChannelMessage[], options: RowOptions = {}): Row[] {
  const rows: Row[] = [];
  let before: ChannelMessage | undefined;
  let isNewPlaced = options.newAfter === undefined;
  for (const message of messages) {
    let isApart = before === undefined || !isSameDay(before.created_at, message.created_at);
    if (isApart && !options.withoutDays)
      rows.push({ kind: "day", key: `day ${dayOf(message.created_at)} ${message.id}`, at: message.created_at });
    if (!isNewPlaced && message.seq > (options.newAfter ?? 0) && !options.isOwn?.(message)) {
      rows.push({ kind: "new", key: "new" });
      isNewPlaced = true;
      isApart = true;
    }
    const isHead = isApart || !before || !goesOn(before, message);
    rows.push({ kind: "message", key: message.id, message, isHead });
    before = message;
  }
  return rows;
}

/** Whether the message may stand under the name above the one before it. */
function goesOn(before: ChannelMessage, message: ChannelMessage): boolean {
  return (
    message.created_at - before.created_at < together &&
    message.reply_to_id === null &&
    message.deleted_at === null &&
    before.deleted_at === null &&
    message.user.role === before.user.role &&
    message.user.id === before.user.id &&
    message.user.name === before.user.name &&
    message.user.profile_image_url === before.user.profile_image_url &&
    isSameFace(message.user.shown_as, before.user.shown_as)
  );
}

function isSameFace(one: ShownAs | undefined, other: ShownAs | undefined): boolean {
  return one?.name === other?.name && one?.picture_url === other?.picture_url && one?.emoji === other?.emoji;
}

function isSameDay(a: number, b: number): boolean {
  return dayOf(a) === dayOf(b);
}

/** A day of the person's own calendar. */
function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}
