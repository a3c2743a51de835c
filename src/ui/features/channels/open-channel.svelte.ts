import type { ChannelView } from "../../../channels/schema.ts";
import { type ApiError, toApiError } from "../../lib/api-error.ts";
import { live } from "../../lib/live/live.svelte.ts";
import { online } from "../../lib/online.svelte.ts";
import { channelList } from "./channel-list.svelte.ts";
import { channelsApi } from "./channels-api.ts";

/** The channel of the page: what it is, and what the person is in it. */
export class OpenChannel {
  channel = $state.raw<ChannelView>();
  error = $state.raw<ApiError>();
  #id = "";
  #running: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows another channel: at once what the rail knows of it, then what the service says. */
  show(id: string): void {
    if (id === this.#id) return;
    this.#id = id;
    this.error = undefined;
    this.channel = channelList.find(id);
    void this.reload();
  }

  /** Never rejects: the outcome is in `channel` and `error`. */
  async reload(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const id = this.#id;
    try {
      const channel = await channelsApi.get(id, running.signal);
      if (running.signal.aborted) return;
      this.channel = channel;
      this.error = undefined;
      channelList.take(channel);
    } catch (cause) {
      if (running.signal.aborted) return;
      this.error = toApiError(cause);
      if (this.error.status === 404 || this.error.status === 403) {
        this.channel = undefined;
        channelList.drop(id);
      } else if (this.error.code === "offline")
        void online.back().then(() => (id === this.#id ? this.reload() : undefined));
    }
  }

  /** Listens until the returned function is called. */
  attach(): () => void {
    const stops = [
      live.onEvent(({ channel_id: id, data }) => {
        if (id !== this.#id) return;
        if (data.type === "channel:changed" || data.type === "channel:members") this.#reloadSoon();
        else if (data.type === "channel:left") void this.reload();
      }),
      live.onReload((first) => {
        if (!first) void this.reload();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.#timer);
      this.#running?.abort();
    };
  }

  /** Several changes in a moment become one request, and not all members ask in the same moment. */
  #reloadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), 200 + Math.random() * 800);
  }
}
