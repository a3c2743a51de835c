import type { ChannelEvent } from "../schema.ts";

type Delta = Extract<ChannelEvent, { type: "channel:message:delta" }>;

/** Events that wait to be told, and their length in UTF-16 units together: of more, none is kept. */
const [maxEvents, maxLength] = [1000, 4_000_000];
/** Waiting events beside which word of writing is left out: it is of no use later. */
const busyCount = 20;

/** Events of one channel that wait to be told, in order. Text of an answer that goes on where the last one ended is one event. */
export class PendingEvents {
  #events: ChannelEvent[] = [];
  #length = 0;
  #isWhole = true;
  /** The latest text of each answer, where nothing else has come after it. */
  readonly #deltas = new Map<string, Delta>();
  #isUrgent = false;

  get isEmpty(): boolean {
    return this.#events.length === 0 && this.#isWhole;
  }

  /** Whether there is more than growing text, which may wait for more of it. */
  get isUrgent(): boolean {
    return this.#isUrgent || !this.#isWhole;
  }

  add(event: ChannelEvent): void {
    if (event.type === "channel:typing" && this.#events.length >= busyCount) return;
    if (event.type === "channel:message:delta") this.#addDelta(event);
    else {
      this.#deltas.clear();
      this.#isUrgent = true;
      this.#push(event, JSON.stringify(event).length);
    }
    if (this.#events.length > maxEvents || this.#length > maxLength) this.lose();
  }

  /** What waits, and the word that some of it is missing: those who hear it load again. */
  lose(): void {
    this.#clear();
    this.#isWhole = false;
  }

  take(): { events: ChannelEvent[]; isWhole: boolean } {
    const taken = { events: this.#events, isWhole: this.#isWhole };
    this.#clear();
    this.#isWhole = true;
    return taken;
  }

  #addDelta(event: Delta): void {
    const { id, at, text } = event.data;
    const last = this.#deltas.get(id);
    if (last && last.data.at + last.data.text.length === at) {
      last.data.text += text;
      this.#length += text.length;
      return;
    }
    const own: Delta = { type: event.type, data: { ...event.data } };
    this.#deltas.set(id, own);
    this.#push(own, text.length);
  }

  #push(event: ChannelEvent, length: number): void {
    this.#events.push(event);
    this.#length += length;
  }

  #clear(): void {
    this.#events = [];
    this.#length = 0;
    this.#deltas.clear();
    this.#isUrgent = false;
  }
}
