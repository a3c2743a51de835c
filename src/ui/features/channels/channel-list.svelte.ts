import type { ChannelEvent, ChannelView } from "../../../channels/schema.ts";
import type { LiveEvent } from "../../../shared/live-protocol.ts";
import { type ApiError, toApiError } from "../../lib/api-error.ts";
import { live } from "../../lib/live/live.svelte.ts";
import { online } from "../../lib/online.svelte.ts";
import { session } from "../../lib/session.svelte.ts";
import { shell } from "../../lib/shell.svelte.ts";
import { channelsApi } from "./channels-api.ts";
import { afterMessage, callsFor } from "./count-unread.ts";

/** Milliseconds that several changes in a moment wait for each other. */
const together = 250;
/** How long after the last message was seen the service is told of it (ms). */
const readSoon = 400;

/** The channels that the person is in, with what is unread in them. One for the app, kept up to date by live events. */
class ChannelList {
  channels = $state.raw<readonly ChannelView[]>([]);
  error = $state.raw<ApiError | undefined>(undefined);
  /** True from the first answer on. */
  loaded = $state(false);
  #started = false;
  #running: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reads = new Map<string, { seq: number; timer: ReturnType<typeof setTimeout> }>();

  /** Loads the list and listens from now on. Calling it again does nothing. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    live.onEvent((event) => this.#hear(event));
    // The list that is on its way at the first connection is new enough to start with.
    live.onReload((first) => this.#reloadSoon(first ? 3000 : together));
    $effect.root(() => {
      $effect(() => {
        shell.calls = this.channels.filter((channel) => callsFor(channel)).length;
      });
    });
    void this.reload();
  }

  /** Loads the list again. Never rejects; what was known stays when it fails. */
  async reload(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    try {
      const channels = await channelsApi.list(running.signal);
      if (running.signal.aborted) return;
      this.channels = channels.filter((channel) => channel.is_member).map((channel) => this.#withReads(channel));
      this.error = undefined;
      this.loaded = true;
    } catch (cause) {
      if (running.signal.aborted) return;
      this.error = toApiError(cause);
      if (this.error.code === "offline") void online.back().then(() => this.reload());
    }
  }

  find(id: string): ChannelView | undefined {
    return this.channels.find((channel) => channel.id === id);
  }

  /** Shows a channel as it is now: one that was opened, joined or changed. */
  take(channel: ChannelView): void {
    if (!channel.is_member) return this.drop(channel.id);
    const known = this.find(channel.id);
    const next = this.#withReads(channel);
    this.channels = known
      ? this.channels.map((each) => (each.id === channel.id ? next : each))
      : [...this.channels, next];
  }

  drop(id: string): void {
    if (this.find(id)) this.channels = this.channels.filter((channel) => channel.id !== id);
  }

  /**
   * The person has seen everything outside of threads, and what was said in them up to this number. Shown at once; the service
   * is told a moment later.
   */
  read(id: string, seq: number): void {
    const channel = this.find(id);
    const waiting = this.#reads.get(id);
    if (!channel || seq <= Math.max(channel.last_read, waiting?.seq ?? 0)) return;
    clearTimeout(waiting?.timer);
    const timer = setTimeout(() => void this.#sendRead(id, seq), readSoon);
    this.#reads.set(id, { seq, timer });
    this.#change(id, (each) => this.#withReads(each));
  }

  /** The person has seen a thread up to this number; the service counts what still calls for them. */
  readThread(id: string, parentId: string, seq: number): void {
    if ((this.find(id)?.mention_count ?? 0) === 0) return;
    // What is not told still calls for the person at the next visit: no reason to disturb anybody.
    void channelsApi.read(id, seq, parentId).catch(() => undefined);
  }

  async #sendRead(id: string, seq: number): Promise<void> {
    try {
      await channelsApi.read(id, seq);
      this.#change(id, (channel) => ({ ...channel, last_read: Math.max(channel.last_read, seq) }));
    } catch (cause) {
      // What is not told stays unread for the next visit: no reason to disturb anybody.
      if (toApiError(cause).code === "offline") {
        await online.back();
        const waiting = this.#reads.get(id);
        if (waiting?.seq === seq) return this.#sendRead(id, seq);
      }
    }
    if (this.#reads.get(id)?.seq === seq) this.#reads.delete(id);
  }

  /** A channel without the unread messages that are seen here and of which the service has not heard yet. */
  #withReads(channel: ChannelView): ChannelView {
    const seen = this.#reads.get(channel.id)?.seq;
    if (seen === undefined) return channel;
    return { ...channel, unread_count: 0 };
  }

  #change(id: string, change: (channel: ChannelView) => ChannelView): void {
    this.channels = this.channels.map((channel) => (channel.id === id ? change(channel) : channel));
  }

  #hear({ channel_id: id, data }: LiveEvent): void {
    // Whoever has moved to another organization is in other channels.
    if (data.type === "session:changed") return this.#reloadSoon();
    if (id === undefined) return;
    // From this page's own service, whose events are these.
    const event = data as ChannelEvent;
    const known = this.find(id);
    switch (event.type) {
      case "channel:message": {
        if (!known) return this.#reloadSoon();
        const person = session.person?.id ?? "";
        return this.#change(id, (channel) => afterMessage(channel, event.data.message, person));
      }
      case "channel:read":
        return known && this.#takeRead(known, event.data.last_read);
      case "channel:left":
        return this.drop(id);
      case "channel:changed":
        return this.#reloadSoon();
      case "channel:message:delete":
        // It may have been among the unread ones.
        if (known && event.data.seq > known.last_read && known.unread_count > 0) this.#reloadSoon();
        return undefined;
      default:
        return undefined;
    }
  }

  /** The person has read on, here or in another tab. What is left, threads included, only the service can count. */
  #takeRead(channel: ChannelView, lastRead: number): void {
    if (channel.mention_count > 0) this.#reloadSoon();
    if (lastRead <= channel.last_read) return;
    const isAll = lastRead >= channel.head;
    if (!isAll && channel.unread_count > 0) this.#reloadSoon();
    this.#change(channel.id, (each) => ({ ...each, last_read: lastRead, ...(isAll ? { unread_count: 0 } : {}) }));
  }

  #reloadSoon(wait = together): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), wait);
  }
}

export const channelList = new ChannelList();
