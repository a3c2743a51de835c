import { missing, type Broadcast, type ChannelNews } from "./channel-news.ts";

/** An open way to a person's object, over which texts arrive in order. */
export interface MemberLink {
  /** @param text lines of JSON. @returns whether it was taken; otherwise the link is closed */
  send(text: string): boolean;
  close(): void;
}

export interface MemberOutboxOptions {
  /** Hands news over by a call. @throws where the person's object could not take them */
  call(news: Pick<ChannelNews, "events" | "isWhole">): Promise<void>;
  /**
   * @param onLost called when the link has broken: what was sent last may not have arrived
   * @throws where no link can be opened now
   */
  connect(onLost: () => void): Promise<MemberLink>;
}

/** Events that wait for one person, and their length in UTF-16 units together: of more, none is kept. */
const [maxEvents, maxLength] = [500, 1_000_000];
/** Milliseconds before each further attempt. */
const pausesMs = [100, 500, 2000];
/** More than one broadcast in so many milliseconds is worth a link, which goes when nothing has been said for so long. */
const busyMs = 10_000;

const done = Promise.resolve();

/**
 * What one person is told of a channel: over a link while there is one, else by one call at a time, so that the order holds, and what
 * comes meanwhile goes along with the next.
 */
export class MemberOutbox {
  readonly #options: MemberOutboxOptions;
  #events: string[] = [];
  #length = 0;
  #isWhole = true;
  #sending: Promise<void> | undefined;
  #link: MemberLink | undefined;
  /** Epoch milliseconds of the last broadcast but the one that is being sent. */
  #lastAt = 0;
  #isBusy = false;

  constructor(options: MemberOutboxOptions) {
    this.#options = options;
  }

  /** Whether nothing is on its way by a call. */
  get isIdle(): boolean {
    return this.#sending === undefined;
  }

  /**
   * Resolves when they were taken, or given up for now: then the next ones come with the word that some are missing.
   * @param now epoch milliseconds
   */
  add({ events, isWhole, text }: Broadcast, now: number): Promise<void> {
    this.#isBusy = now - this.#lastAt < busyMs;
    this.#lastAt = now;
    const hadLink = this.#link !== undefined;
    if (this.isIdle && this.#handOver(isWhole && this.#isWhole ? text : missing)) {
      this.#isWhole = true;
      return done;
    }
    this.#keep(events, isWhole && !(hadLink && !this.#link));
    return this.#send();
  }

  /** Whether all is said, and has been for a while. @param now epoch milliseconds */
  isOver(now: number): boolean {
    return this.isIdle && this.#isWhole && now - this.#lastAt >= busyMs;
  }

  /** Says that some were left out where that could not be said before. */
  retry(): void {
    if (this.isIdle && !this.#isWhole) void this.#send();
  }

  close(): void {
    this.#link?.close();
    this.#link = undefined;
  }

  #keep(events: readonly string[], isWhole: boolean): void {
    this.#isWhole &&= isWhole;
    for (const event of events) {
      this.#events.push(event);
      this.#length += event.length;
    }
    if (this.#events.length > maxEvents || this.#length > maxLength) this.#isWhole = false;
    if (!this.#isWhole) this.#clear();
  }

  #send(): Promise<void> {
    return (this.#sending ??= this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    do {
      const [events, isWhole, hadLink] = [this.#events, this.#isWhole, this.#link !== undefined];
      this.#clear();
      this.#isWhole = true;
      if (this.#handOver(isWhole ? events.join("\n") : missing)) continue;
      if (!(await this.#call({ events, isWhole: isWhole && !hadLink }))) {
        this.#isWhole = false;
        this.#clear();
        break;
      }
      if (this.#isBusy) await this.#connect();
    } while (this.#events.length > 0 || !this.#isWhole);
    // In the same turn as the last look at what waits: whatever comes now begins anew.
    this.#sending = undefined;
  }

  /** Over the link, if there is one. Where that breaks there is none any more, and what it held may be lost. */
  #handOver(text: string): boolean {
    const isTaken = this.#link?.send(text) === true;
    if (!isTaken) this.#link = undefined;
    return isTaken;
  }

  async #call(news: Pick<ChannelNews, "events" | "isWhole">): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#options.call(news);
        return true;
      } catch {
        const wait = pausesMs[attempt];
        if (wait === undefined) return false;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  async #connect(): Promise<void> {
    let link: MemberLink | undefined;
    try {
      link = await this.#options.connect(() => {
        if (!link || this.#link !== link) return;
        this.#link = undefined;
        this.#isWhole = false;
        void this.#send();
      });
      this.#link = link;
    } catch {
      // A call will do.
    }
  }

  #clear(): void {
    this.#events = [];
    this.#length = 0;
  }
}
