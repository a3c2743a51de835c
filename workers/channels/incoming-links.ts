import { missing, type ChannelNews } from "../../src/channels/live/channel-news.ts";
import { TextInterner } from "../../src/lib/text-interner.ts";
import { maxWaitingBytes } from "../waiting-bytes.ts";
import { lost, notNeeded, type LinkTarget } from "./outgoing-link.ts";

/** The same event comes to hundreds of objects here, each of which keeps it for a while. */
const texts = new TextInterner();

export interface IncomingLinksOptions {
  /** Shows news at once. @returns false where it has to be asked first whether the person may hear them */
  show(news: ChannelNews): boolean;
  /** Asks, then shows them. @throws where that cannot be known now */
  hear(news: ChannelNews): Promise<void>;
  /** Something may have been lost. */
  missed(): void;
  /** Called when there is the first link, and when there is none any more. */
  changed(hasLinks: boolean): void;
}

/** The links of channels' objects to one person's during busy periods. They keep the object from hibernating. */
export class IncomingLinks {
  readonly #options: IncomingLinksOptions;
  #count = 0;

  constructor(options: IncomingLinksOptions) {
    this.#options = options;
  }

  accept(linked: LinkTarget): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    this.#count += 1;
    if (this.#count === 1) this.#options.changed(true);
    /** What waits until it is known whether the person may hear it. */
    let waiting: ChannelNews[] = [];
    /** Of all that has waited since nothing did, UTF-16 units. */
    let waitingLength = 0;
    const lose = () => {
      waiting = [];
      server.close(lost);
    };
    const drain = async () => {
      try {
        for (let news = waiting[0]; news; news = waiting[0]) {
          await this.#options.hear(news);
          waiting.shift();
        }
      } catch {
        lose();
      }
    };
    server.addEventListener("message", ({ data }) => {
      const isWhole = data !== missing;
      const news = {
        ...linked,
        isWhole,
        events: isWhole ? (data as string).split("\n").map((text) => texts.intern(text)) : [],
      };
      if (waiting.length > 0) {
        waitingLength += (data as string).length;
        if (waitingLength > maxWaitingBytes) lose();
        else waiting.push(news);
      } else if (!this.#options.show(news)) {
        waitingLength = (data as string).length;
        waiting.push(news);
        void drain();
      }
    });
    let isOver = false;
    const end = (isWhole: boolean) => {
      if (isOver) return;
      isOver = true;
      this.#count -= 1;
      if (this.#count === 0) this.#options.changed(false);
      if (!isWhole) this.#options.missed();
    };
    server.addEventListener("close", ({ code }) => end(code === notNeeded));
    server.addEventListener("error", () => end(false));
    return new Response(null, { status: 101, webSocket: client });
  }
}
