/** What has happened in a channel, for one person's tabs. */
export interface ChannelNews {
  userId: string;
  organizationId: string;
  /** Each the JSON of a `LiveEvent`, in order. */
  events: readonly string[];
  /** False where some were left out: tabs have to load again. */
  isWhole: boolean;
}

/** Events that wait for one person, and their length in UTF-16 units together: of more, none is kept. */
const [mostEvents, mostLength] = [500, 1_000_000];
/** Milliseconds before each further attempt. */
const waits = [100, 500, 2000];

/** What one person is told of a channel: one call at a time, so that the order holds, and what comes meanwhile goes along with the next. */
export class ChannelOutbox {
  readonly #send: (news: Pick<ChannelNews, "events" | "isWhole">) => Promise<void>;
  #events: string[] = [];
  #length = 0;
  #isWhole = true;
  #sending: Promise<void> | undefined;

  constructor(send: (news: Pick<ChannelNews, "events" | "isWhole">) => Promise<void>) {
    this.#send = send;
  }

  /** Whether nothing is on its way. */
  get isIdle(): boolean {
    return this.#sending === undefined;
  }

  /**
   * @param events the JSON of each
   * @returns resolves when they were taken, or given up for now: then the next ones come with the word that some are missing
   */
  add({ events, isWhole }: Pick<ChannelNews, "events" | "isWhole">): Promise<void> {
    this.#isWhole &&= isWhole;
    for (const event of events) this.#length += this.#events.push(event) && event.length;
    if (this.#events.length > mostEvents || this.#length > mostLength) this.#isWhole = false;
    if (!this.#isWhole) this.#clear();
    return (this.#sending ??= this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    do {
      const news = { events: this.#events, isWhole: this.#isWhole };
      this.#clear();
      this.#isWhole = true;
      if (await this.#sendSome(news)) continue;
      this.#isWhole = false;
      this.#clear();
      break;
    } while (this.#events.length > 0 || !this.#isWhole);
    // In the same turn as the last look at what waits: whatever comes now begins anew.
    this.#sending = undefined;
  }

  async #sendSome(news: Pick<ChannelNews, "events" | "isWhole">): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#send(news);
        return true;
      } catch {
        const wait = waits[attempt];
        if (wait === undefined) return false;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  #clear(): void {
    this.#events = [];
    this.#length = 0;
  }
}
