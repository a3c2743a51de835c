import type { HistoryPage } from "../../src/channels/messages/schema.ts";
import type { ChannelEvent, ChannelMessage } from "../../src/channels/schema.ts";
import type { ServerFrame } from "../../src/shared/live-protocol.ts";
import { createTimeline, type Timeline } from "../../src/ui/features/channels/merge-messages.ts";
import type { SignedIn } from "./socket-crowd.ts";

/** Milliseconds between two tries to connect or to load. */
const again = 200;

/**
 * A tab with one channel open, as the page has it: one socket, its place in the numbering, the page's own merge of events and
 * pages, and history for what was missed. Comes back by itself, whatever breaks, until it is closed.
 */
export class ChannelTab {
  readonly #url: string;
  readonly #channelId: string;
  readonly #token: string;
  readonly #timeline: Timeline;
  #socket: WebSocket | undefined;
  #place: { epoch: string; since: number } | undefined;
  #isClosed = false;
  #loading: Promise<void> | undefined;
  #isWanted = false;
  /** Called with each message that came by an event. */
  onMessage: ((message: ChannelMessage) => void) | undefined;

  constructor(url: string, channelId: string, person: SignedIn) {
    this.#url = url;
    this.#channelId = channelId;
    this.#token = person.token;
    this.#timeline = createTimeline({ parentId: null, reader: person.id });
  }

  /** What the person sees, once nothing is missing; undefined as long as something is being loaded. */
  get messages(): readonly ChannelMessage[] | undefined {
    const { messages, to, head, isStale, isLoaded } = this.#timeline.view();
    return isLoaded && !isStale && to === head && !this.#loading ? messages : undefined;
  }

  /** Number of the latest message that the tab has heard of. */
  get seen(): number {
    return this.#timeline.view().head;
  }

  /** Resolves when the tab has been welcomed and has loaded. */
  async connect(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#open();
        return await this.#load();
      } catch {
        await pause();
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  async #open(): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}` };
    // Node's WebSocket takes headers; browsers send a cookie.
    const socket = new WebSocket(`${this.#url.replace(/^http/, "ws")}/api/v1/events`, {
      headers,
    } as unknown as string[]);
    this.#socket = socket;
    let isWelcome = false;
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => socket.send(JSON.stringify({ kind: "hello", ...this.#place })));
      socket.addEventListener("message", ({ data }) => {
        const frame = JSON.parse(data as string) as ServerFrame;
        isWelcome ||= frame.kind === "welcome";
        this.#hear(frame);
        if (frame.kind === "welcome") resolve();
      });
      socket.addEventListener("error", () => reject(new Error("a socket did not open")));
      socket.addEventListener("close", () => {
        reject(new Error("a socket was closed"));
        if (isWelcome && this.#socket === socket) void pause().then(() => this.connect());
      });
    });
  }

  #hear(frame: ServerFrame): void {
    if (frame.kind === "welcome") {
      if (!frame.replayed) {
        this.#timeline.distrust();
        this.#place = { epoch: frame.epoch, since: frame.seq };
        // The first one is loaded by `connect`.
        void this.#load();
      }
      return;
    }
    if (frame.kind !== "event") return;
    if (this.#place) this.#place.since = frame.seq;
    if (frame.channel_id !== this.#channelId) return;
    const event = frame.data as ChannelEvent;
    this.#timeline.receive(event);
    if (event.type === "channel:message") this.onMessage?.(event.data.message);
    const { to, head } = this.#timeline.view();
    if (to < head) void this.#load();
  }

  /** One at a time; what is wanted meanwhile is loaded after it. */
  #load(): Promise<void> {
    this.#isWanted = true;
    return (this.#loading ??= this.#loadAll());
  }

  async #loadAll(): Promise<void> {
    while (!this.#isClosed) {
      this.#isWanted = false;
      const { to, head, isStale, isLoaded, hasBefore, from } = this.#timeline.view();
      const part =
        !isLoaded || isStale ? "" : to < head ? `&after=${to}` : hasBefore && from > 0 ? `&before=${from}` : undefined;
      if (part === undefined && !this.#isWanted) break;
      if (part === undefined) continue;
      try {
        const { life } = this.#timeline;
        const response = await fetch(`${this.#url}/api/v1/channels/${this.#channelId}/history?limit=100${part}`, {
          headers: { authorization: `Bearer ${this.#token}` },
        });
        if (response.status !== 200) throw new Error(`history answered ${response.status}`);
        this.#timeline.addPage((await response.json()) as HistoryPage, life);
      } catch {
        await pause();
      }
    }
    this.#loading = undefined;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, again));
}
