import type { ChannelNews } from "../../src/channels/live/channel-news.ts";
import type { MemberLink } from "../../src/channels/live/member-outbox.ts";

/** Names the request by which a channel's object opens a link to a person's, and says for whom it is, as JSON. */
export const linkHeader = "x-parley-channel-link";

/** For whom a link is. */
export type LinkTarget = Pick<ChannelNews, "userId" | "organizationId">;

/** Messages after which the person's object says that it has taken them. */
export const confirmEvery = 64;
/** Messages that may wait to be taken: of a person's object that is further behind, nothing more is expected. */
const maxWaiting = 512;
/** Close code of a link that is not needed now: nothing was lost. */
export const notNeeded = 1000;
/** Close code of a link over which something was lost. */
export const lost = 1011;

/**
 * The way from a channel's object to a person's while much is said: a call for each event costs the runtime three times as much.
 * What was handed over arrives in order, or the link breaks, which both sides notice.
 */
export class OutgoingLink implements MemberLink {
  readonly #socket: WebSocket;
  #waiting = 0;
  #isOpen = true;

  /** @param onLost called when the link has broken: what was handed over last may not have arrived */
  constructor(socket: WebSocket, onLost: () => void) {
    this.#socket = socket;
    socket.addEventListener("message", () => (this.#waiting -= confirmEvery));
    const broken = () => {
      if (!this.#isOpen) return;
      this.#close(lost);
      onLost();
    };
    socket.addEventListener("close", broken);
    socket.addEventListener("error", broken);
    socket.accept();
  }

  /** @param text lines of JSON. @returns whether it was taken; otherwise the link is closed */
  send(text: string): boolean {
    if (!this.#isOpen) return false;
    this.#waiting += 1;
    try {
      if (this.#waiting > maxWaiting) this.#close(lost);
      else this.#socket.send(text);
    } catch {
      this.#isOpen = false;
    }
    return this.#isOpen;
  }

  close(): void {
    if (this.#isOpen) this.#close(notNeeded);
  }

  #close(code: number): void {
    this.#isOpen = false;
    try {
      this.#socket.close(code);
    } catch {
      // It was closed by the other side.
    }
  }
}
