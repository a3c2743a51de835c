import type { ChannelEvent, ChannelMessage } from "../../../channels/schema.ts";
import type { LiveEvent } from "../../../shared/live-protocol.ts";
import { type ApiError, toApiError } from "../../lib/api-error.ts";
import { live } from "../../lib/live/live.svelte.ts";
import { online } from "../../lib/online.svelte.ts";
import { session } from "../../lib/session.svelte.ts";
import { channelsApi, type HistoryPart } from "./channels-api.ts";
import { isBy } from "./count-unread.ts";
import { createTimeline, type Timeline, type TimelineView } from "./merge-messages.ts";
import { type OwnReaction, withReaction } from "./messages/with-reaction.ts";
import { type Outgoing, outbox } from "./outbox.svelte.ts";

/** A channel (`parentId` null) or a thread in it. */
export interface Place {
  channelId: string;
  parentId: string | null;
}

/** Messages in a page. */
const perPage = 50;
/** How long a hole may fill by itself before its messages are asked for (ms). */
const fillAfter = 200;
/** Messages that are kept of a place that stays open at its end, and how many there may be before the others go. */
const kept = 300;
const most = 600;
/** Own messages that wait for the answer to their post at most; those of other tabs are among them. */
const mostEarly = 50;

/** The messages of a channel or thread as a page shows them: a window that grows at both ends and follows what happens. */
export class MessageFeed {
  error = $state.raw<ApiError>();
  /** A page of the window is on its way. */
  loading = $state(false);
  /** The place that is wanted is on its way: what is shown may be another one. */
  isLooking = $state(false);
  /** Names what is shown: another place, or the same one opened anew. */
  key = $state(0);
  /** Set by the list: the person is at its end, so what is far above may go. */
  isAtEnd = true;
  /** Set by the list: number of the first message in view. */
  firstInView: () => number | undefined = () => undefined;
  #place: Place | undefined;
  #timeline: Timeline = createTimeline({ parentId: null, reader: "" });
  #version = $state(0);
  /** Number of a message in the window; undefined for the window at the end. */
  #around = $state<number>();
  #pending = $state.raw<readonly { id: string; reaction: OwnReaction }[]>([]);
  /** Own messages that came by events before the answer to their post, with the moment they came. */
  #early = $state.raw<ReadonlyMap<string, { message: ChannelMessage; at: number }>>(new Map());
  #running: AbortController | undefined;
  #filling: ReturnType<typeof setTimeout> | undefined;
  #last: { part: HistoryPart; around: number | undefined } = { part: {}, around: undefined };

  readonly #view: TimelineView = $derived.by(() => {
    void this.#version;
    return this.#timeline.view(this.#around);
  });
  readonly messages: readonly ChannelMessage[] = $derived(
    this.#pending.length === 0
      ? this.#view.messages
      : this.#view.messages.map((message) =>
          this.#pending.reduce(
            (shown, { id, reaction }) => (id === shown.id ? withReaction(shown, reaction) : shown),
            message,
          ),
        ),
  );
  /** Number of the latest message that is known of. */
  readonly head = $derived(this.#view.head);
  readonly loaded = $derived(this.#view.isLoaded || this.#view.isStale);
  readonly hasEarlier = $derived(this.#view.hasBefore);
  /** There is more below. A hole at the end of the window that follows the end is none: it fills by itself. */
  readonly hasLater = $derived(this.#view.hasAfter && this.#around !== undefined);

  /** Shows a place, from around a number on where one is given, otherwise its end. The same place stays as it is. */
  open(place: Place, around?: number): void {
    const isSame = place.channelId === this.#place?.channelId && place.parentId === this.#place.parentId;
    if (isSame && around === undefined) return;
    if (!isSame) {
      this.#place = place;
      this.#timeline = createTimeline({ parentId: place.parentId, reader: session.person?.id ?? "" });
      this.#pending = [];
      this.#early = new Map();
      this.error = undefined;
      this.key += 1;
      this.#changed();
    } else if (around !== undefined && this.#holds(around)) {
      this.#around = around;
      return;
    }
    void this.#look(around);
  }

  /** Goes to the end. */
  async loadLatest(): Promise<void> {
    await this.#look(undefined);
  }

  /** Resolves to whether there is more now than before. */
  async loadEarlier(): Promise<boolean> {
    const { from, hasBefore } = this.#view;
    if (!hasBefore || this.loading) return false;
    return this.#load({ before: from });
  }

  async loadLater(): Promise<void> {
    const { to, hasAfter } = this.#view;
    if (!hasAfter || this.loading) return;
    await this.#load({ after: to });
  }

  /** Loads again what failed. */
  retry(): void {
    const { part, around } = this.#last;
    void this.#load(part, around);
  }

  /** Shows a message as the service answered it. */
  take(message: ChannelMessage): void {
    this.#timeline.addMessage(message);
    this.#changed();
  }

  /** The person has deleted it; what the service tells of it afterwards has the last word. */
  drop({ id, seq }: ChannelMessage): void {
    const known = this.messages.find((message) => message.id === id);
    if (known && known.reply_count > 0) return;
    this.#timeline.receive({ type: "channel:message:delete", data: { id, seq } });
    this.#changed();
  }

  /** Shows a reaction of the person before the service has it; the returned function takes it back. */
  react({ id }: ChannelMessage, reaction: OwnReaction): () => void {
    const pending = { id, reaction };
    this.#pending = [
      ...this.#pending.filter((each) => each.id !== id || each.reaction.name !== reaction.name),
      pending,
    ];
    return () => (this.#pending = this.#pending.filter((each) => each !== pending));
  }

  /** Those of the messages on their way that are not in the list already: an event can be faster than the answer. */
  unconfirmed(outgoing: readonly Outgoing[]): Outgoing[] {
    const early = [...this.#early.values()];
    return outgoing.filter(({ content, createdAt, status }) => {
      if (status === "failed") return true;
      const index = early.findIndex((each) => each.at >= createdAt && each.message.content === content);
      if (index >= 0) early.splice(index, 1);
      return index < 0;
    });
  }

  /** Listens until the returned function is called. */
  attach(): () => void {
    const stops = [
      live.onEvent((event) => this.#hear(event)),
      live.onReload((first) => this.#reload(first)),
      outbox.onTaken((message) => this.#confirm(message)),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.#filling);
      this.#running?.abort();
    };
  }

  #hear({ channel_id: channelId, data }: LiveEvent): void {
    const place = this.#place;
    if (!place || channelId !== place.channelId) return;
    const event = data as ChannelEvent;
    if (event.type === "channel:message") {
      const { message } = event.data;
      if (isBy(message, session.person?.id ?? "") && message.parent_id === place.parentId)
        this.#early = new Map([...this.#early].slice(-mostEarly)).set(message.id, { message, at: Date.now() });
    }
    this.#timeline.receive(event);
    this.#changed();
  }

  #confirm(message: ChannelMessage): void {
    const { channelId, parentId } = this.#place ?? {};
    if (message.channel_id !== channelId || message.parent_id !== parentId) return;
    this.take(message);
    if (!this.#early.has(message.id)) return;
    const early = new Map(this.#early);
    early.delete(message.id);
    this.#early = early;
  }

  /** Events may have been missed. What was asked for a moment before the first connection is looked at once more, too. */
  #reload(first: boolean): void {
    if (!this.#place) return;
    if (first) {
      const { isLoaded, to } = this.#view;
      if (isLoaded && this.#around === undefined) void this.#load({ after: to });
      return;
    }
    // Whoever reads further up goes on reading there.
    const around = this.isAtEnd ? undefined : this.firstInView();
    this.#timeline.distrust();
    this.#changed();
    void this.#look(around);
  }

  async #look(around: number | undefined): Promise<void> {
    this.isLooking = true;
    await this.#load(around === undefined ? {} : { around }, around);
  }

  #holds(seq: number): boolean {
    const view = this.#timeline.view(seq);
    return view.isLoaded && view.from <= seq && seq <= view.to;
  }

  /** Loads a page; `around` is what the window goes by from then on. Never rejects; resolves to whether it was taken. */
  async #load(part: HistoryPart, around = this.#around): Promise<boolean> {
    const place = this.#place;
    if (!place) return false;
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.#last = { part, around };
    this.loading = true;
    const timeline = this.#timeline;
    const { life } = timeline;
    const thread = place.parentId === null ? {} : { parent_id: place.parentId };
    try {
      const page = await channelsApi.history(place.channelId, { ...part, ...thread, limit: perPage }, running.signal);
      if (running.signal.aborted || timeline !== this.#timeline) return false;
      timeline.addPage(page, life);
      // A window that reaches the end follows it.
      this.#around = around === undefined || !timeline.view(around).hasAfter ? undefined : around;
      this.error = undefined;
    } catch (cause) {
      if (running.signal.aborted) return false;
      this.error = toApiError(cause);
      if (this.error.code === "offline")
        void online.back().then(() => (running.signal.aborted ? undefined : this.#load(part, around)));
      return false;
    } finally {
      if (this.#running === running) {
        this.loading = false;
        this.isLooking = false;
      }
    }
    this.#changed();
    return true;
  }

  #changed(): void {
    this.#version += 1;
    this.#fill();
    this.#forget();
    // What the service says by now needs no stand-in.
    if (this.#pending.length > 0) {
      const shown = new Map(this.#view.messages.map((message) => [message.id, message]));
      this.#pending = this.#pending.filter(({ id, reaction }) => {
        const mine = shown.get(id)?.reactions.find(({ name }) => name === reaction.name)?.mine ?? false;
        return mine !== reaction.isAdded;
      });
    }
  }

  /** Asks for what is missing at the end, if it does not come by itself. */
  #fill(): void {
    clearTimeout(this.#filling);
    if (this.#around !== undefined) return;
    this.#filling = setTimeout(() => {
      const { isLoaded, hasAfter } = this.#view;
      if (!isLoaded || !hasAfter || this.#around !== undefined) return;
      if (this.loading) this.#fill();
      else void this.loadLater();
    }, fillAfter);
  }

  /** A tab that stays open for days does not keep everything. */
  #forget(): void {
    const { messages } = this.#view;
    if (!this.isAtEnd || this.#around !== undefined || messages.length <= most) return;
    const first = messages.at(-kept);
    if (!first) return;
    this.#timeline.forgetBefore(first.seq);
    this.#version += 1;
  }
}
