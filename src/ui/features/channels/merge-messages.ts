import type { HistoryPage } from "../../../channels/messages/schema.ts";
import type { ChannelEvent, ChannelMessage } from "../../../channels/schema.ts";
import { markOwn, noOwnReactions, noteAct, noteView, type OwnReactions } from "./own-reactions.ts";
import { addRange, rangeAt, rangesFrom, type SeqRange } from "./seq-ranges.ts";

/** A piece of a channel or thread without holes. */
export interface TimelineView {
  /** Oldest first. Objects stay the same as long as nothing in them changes. */
  messages: readonly ChannelMessage[];
  /** Everything from this number up to that one is here; `from` is 0 where nothing is before it. */
  from: number;
  to: number;
  /** Whether there is more before and after it, to be loaded with `before: from` and `after: to`. */
  hasBefore: boolean;
  hasAfter: boolean;
  /** Number of the latest message that is known of, of the whole channel. */
  head: number;
  /** False until the first page. */
  isLoaded: boolean;
  /** Whether something may have been missed since: shown until a page is there that was asked for after that. */
  isStale: boolean;
}

/**
 * What a tab knows of a channel or of one thread: pages, answers and events, in whatever order they come, doubled or with holes
 * between them, make the one order that everybody sees. A number that is covered and has no message never gets one: it is of
 * another thread, or deleted for good. Of a message the newest (`updated_at`) counts.
 */
export interface Timeline {
  /** Counts up with `distrust`: read it before a page is asked for and hand it over with the page. */
  readonly life: number;
  /** @param life a page that was asked for in another life is not taken */
  addPage(page: HistoryPage, life?: number): void;
  /** A message as the service answered the reader: to a post, a change, or when asked for it alone. */
  addMessage(message: ChannelMessage): void;
  /** An event of this channel. Events that are about no messages change nothing. */
  receive(event: ChannelEvent): void;
  /** Events may have been missed (a welcome that was not `replayed`): everything is loaded again, and shown until then. */
  distrust(): void;
  /** Forgets what is older than this number, so that a tab that stays open does not grow for ever. */
  forgetBefore(seq: number): void;
  /** The piece around a number; without one, or where that is not loaded, the newest piece of which a page was loaded. */
  view(around?: number): TimelineView;
}

/** Pieces that came by themselves, without a page: the oldest of more are forgotten. */
const maxPieces = 200;

const nothing: TimelineView = {
  messages: [],
  from: 0,
  to: 0,
  hasBefore: false,
  hasAfter: false,
  head: 0,
  isLoaded: false,
  isStale: false,
};

/**
 * @param parentId the thread; null for the channel itself, where answers in threads are no messages
 * @param reader id of the person at this tab
 */
export function createTimeline({ parentId, reader }: { parentId: string | null; reader: string }): Timeline {
  let ranges: SeqRange[] = [];
  let messages = new Map<number, ChannelMessage>();
  let seqs = new Map<string, number>();
  let own = new Map<number, OwnReactions>();
  /** Answers that are being written, with what came since the message was loaded; by id. */
  let written = new Map<string, string>();
  let head = 0;
  let life = 0;
  let stale: TimelineView | undefined;
  let shown = new Map<number, { of: ChannelMessage; as: ChannelMessage }>();

  const belongs = (message: ChannelMessage) =>
    parentId === null ? message.parent_id === null : message.parent_id === parentId || message.id === parentId;
  const isGone = (message: ChannelMessage) => message.deleted_at !== null && message.reply_count === 0;

  function cover(from: number, to: number, isAnchored: boolean): void {
    head = Math.max(head, to);
    ranges = addRange(ranges, { from, to, isAnchored });
    const loose = ranges.length > maxPieces ? ranges.findIndex((range) => !range.isAnchored) : -1;
    const dropped = ranges[loose];
    if (!dropped) return;
    ranges.splice(loose, 1);
    for (const seq of messages.keys()) if (rangeAt([dropped], seq)) remove(seq);
  }

  function remove(seq: number): void {
    const message = messages.get(seq);
    if (!message) return;
    messages.delete(seq);
    seqs.delete(message.id);
    written.delete(message.id);
    own.delete(seq);
    shown.delete(seq);
  }

  function apply(message: ChannelMessage, change: (own: OwnReactions) => OwnReactions): void {
    const { seq } = message;
    const known = messages.get(seq);
    if (!known && rangeAt(ranges, seq)) return;
    cover(seq, seq, false);
    if (!belongs(message) || isGone(message)) return remove(seq);
    own.set(seq, change(own.get(seq) ?? noOwnReactions));
    shown.delete(seq);
    if (known && known.updated_at >= message.updated_at) return;
    messages.set(seq, message);
    seqs.set(message.id, seq);
    const text = written.get(message.id);
    if (text !== undefined && !(message.state === "streaming" && text.startsWith(message.content)))
      written.delete(message.id);
  }

  const applyView = (message: ChannelMessage) => apply(message, (facts) => noteView(facts, message));

  function write(id: string, at: number, text: string): void {
    const seq = seqs.get(id);
    const message = seq === undefined ? undefined : messages.get(seq);
    if (seq === undefined || message?.state !== "streaming") return;
    const sofar = written.get(id) ?? message.content;
    // Something before it was missed: the message comes as a whole whenever it is stored.
    if (at > sofar.length) return;
    written.set(id, sofar.slice(0, at) + text);
    shown.delete(seq);
  }

  function show(seq: number, message: ChannelMessage): ChannelMessage {
    const known = shown.get(seq);
    if (known?.of === message) return known.as;
    const text = written.get(message.id);
    const whole = text === undefined ? message : { ...message, content: text };
    const as = markOwn(whole, own.get(seq) ?? noOwnReactions, reader);
    shown.set(seq, { of: message, as });
    return as;
  }

  return {
    get life() {
      return life;
    },
    addPage(page, asked = life) {
      if (asked !== life) return;
      head = Math.max(head, page.head);
      page.messages.forEach(applyView);
      const here = new Set(page.messages.map((message) => message.seq));
      for (const seq of messages.keys()) if (seq >= page.from && seq <= page.to && !here.has(seq)) remove(seq);
      cover(page.from, page.to, true);
      stale = undefined;
    },
    addMessage: applyView,
    receive(event) {
      switch (event.type) {
        case "channel:message":
          return apply(event.data.message, (facts) => facts);
        case "channel:message:update": {
          const { message, reaction } = event.data;
          return apply(message, (facts) =>
            reaction?.user_id === reader ? noteAct(facts, message.updated_at, reaction.name, reaction.added) : facts,
          );
        }
        case "channel:message:delete":
          if (event.data.message) return apply(event.data.message, (facts) => facts);
          cover(event.data.seq, event.data.seq, false);
          return remove(event.data.seq);
        case "channel:message:delta":
          return write(event.data.id, event.data.at, event.data.text);
        default:
      }
    },
    distrust() {
      stale = { ...this.view(), isStale: true };
      ranges = [];
      messages = new Map();
      seqs = new Map();
      own = new Map();
      written = new Map();
      shown = new Map();
      life++;
    },
    forgetBefore(seq) {
      ranges = rangesFrom(ranges, seq);
      for (const old of messages.keys()) if (old < seq) remove(old);
    },
    view(around) {
      if (stale) return { ...stale, head };
      const range =
        (around === undefined ? undefined : rangeAt(ranges, around)) ?? ranges.findLast((one) => one.isAnchored);
      if (!range) return { ...nothing, head };
      const here = [...messages].filter(([seq]) => rangeAt([range], seq)).sort(([a], [b]) => a - b);
      return {
        messages: here.map(([seq, message]) => show(seq, message)),
        from: range.from,
        to: range.to,
        hasBefore: range.from > 0,
        hasAfter: range.to < head,
        head,
        isLoaded: true,
        isStale: false,
      };
    },
  };
}
