import { SvelteMap } from "svelte/reactivity";
import type { ChannelEvent, ChannelMessage } from "../../../channels/schema.ts";
import { live } from "../../lib/live/live.svelte.ts";
import { session } from "../../lib/session.svelte.ts";

/** How often the others are told (ms), and how long they believe it. */
const sayEvery = 3000;
const believeFor = 6000;
/** A model is believed until its answer ends, or for this long after something was last heard of it. */
const modelWritesFor = 120_000;

const placeOf = (channelId: string, parentId: string | null): string => `${channelId} ${parentId ?? ""}`;

interface Writer {
  id: string;
  name: string;
  until: number;
}

/** Who is writing where, as the live connection tells it. One for the app. */
class Typing {
  #writers = new SvelteMap<string, readonly Writer[]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Names of those who are writing there, the person themselves left out. */
  in(channelId: string, parentId: string | null): string[] {
    return (this.#writers.get(placeOf(channelId, parentId)) ?? []).map(({ name }) => name);
  }

  /** Listens until the returned function is called. */
  attach(): () => void {
    const stop = live.onEvent(({ channel_id: channelId, data }) => {
      if (channelId === undefined) return;
      const event = data as ChannelEvent;
      if (event.type === "channel:typing") this.#hear(placeOf(channelId, event.data.parent_id), event.data.user);
      else if (event.type === "channel:message" || event.type === "channel:message:update") {
        const { message } = event.data;
        if (event.type === "channel:message" && message.user_id !== null)
          this.#forget(placeOf(channelId, message.parent_id), message.user_id);
        // A model answers in a thread, which is not open everywhere: the channel says that it writes.
        if (message.user.role === "assistant" && message.parent_id !== null) this.#hearModel(channelId, message);
      }
    });
    return () => {
      stop();
      clearTimeout(this.#timer);
      this.#writers.clear();
    };
  }

  #hear(place: string, { id, name }: { id: string; name: string }): void {
    if (id === session.person?.id) return;
    const others = (this.#writers.get(place) ?? []).filter((each) => each.id !== id);
    this.#writers.set(place, [...others, { id, name, until: Date.now() + believeFor }]);
    this.#timer ??= setTimeout(() => this.#sweep(), believeFor);
  }

  #hearModel(channelId: string, { id, state, user }: ChannelMessage): void {
    const place = placeOf(channelId, null);
    if (state !== "streaming") return this.#forget(place, id);
    const others = (this.#writers.get(place) ?? []).filter((each) => each.id !== id);
    this.#writers.set(place, [...others, { id, name: user.name, until: Date.now() + modelWritesFor }]);
    this.#timer ??= setTimeout(() => this.#sweep(), believeFor);
  }

  #forget(place: string, id: string): void {
    const before = this.#writers.get(place) ?? [];
    this.#keep(
      place,
      before.filter((each) => each.id !== id),
    );
  }

  #sweep(): void {
    this.#timer = undefined;
    const now = Date.now();
    for (const [place, writers] of this.#writers)
      this.#keep(
        place,
        writers.filter(({ until }) => until > now),
      );
    if (this.#writers.size > 0) this.#timer = setTimeout(() => this.#sweep(), 1000);
  }

  #keep(place: string, writers: readonly Writer[]): void {
    if (writers.length === 0) this.#writers.delete(place);
    else if (writers.length !== this.#writers.get(place)?.length) this.#writers.set(place, writers);
  }
}

export const typing = new Typing();

const said = new Map<string, number>();

/** Tells the others that the person is writing, now and then. */
export function sayTyping(channelId: string, parentId: string | null): void {
  const place = placeOf(channelId, parentId);
  const now = Date.now();
  if (now - (said.get(place) ?? 0) < sayEvery) return;
  said.set(place, now);
  live.typing(channelId, parentId);
}
