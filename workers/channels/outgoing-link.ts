import type { ChannelNews } from "../../src/channels/live/channel-news.ts";
import type { MemberLink } from "../../src/channels/live/member-outbox.ts";
import { isBehind } from "../waiting-bytes.ts";

/** The header by which a channel's object opens a link to a person's, with its purpose as JSON. */
export const linkHeader = "x-parley-channel-link";

/** For whom a link is. */
export type LinkTarget = Pick<ChannelNews, "userId" | "organizationId">;

/** Close code of a link that is not needed now: nothing was lost. */
export const notNeeded = 1000;
/** Close code of a link that lost something. */
export const lost = 1011;

/**
 * The connection from a channel's object to a person's during busy periods: a call per event costs three times as much.
 * Sent events arrive in order, or the link breaks, which both sides notice.
 */
export class OutgoingLink implements MemberLink {
  readonly #socket: WebSocket;
  #isOpen = true;

  /** @param onLost called when the link has broken: the last events may not have arrived */
  constructor(socket: WebSocket, onLost: () => void) {
    this.#socket = socket;
    const broken = () => {
      if (!this.#isOpen) return;
      this.#close(lost);
      onLost();
    };
    socket.addEventListener("close", broken);
    socket.addEventListener("error", broken);
    socket.accept();
  }

  send(text: string): boolean {
    if (!this.#isOpen) return false;
    try {
      if (isBehind(this.#socket)) this.#close(lost);
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
