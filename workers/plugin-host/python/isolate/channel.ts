import { native } from "./prelude.ts";

/** Bytes (UTF-16 units of texts) that may wait to be read; a plugin that does not read is cut off before they fill its memory. */
const maxUnread = 16_000_000;

/** One WebSocket of a plugin: whole messages, in order. */
export class Channel {
  /** JSON of status and protocol. Rejects where there is no answer. */
  readonly opened: Promise<string>;
  closeCode = 1006;
  closeReason = "";
  readonly #abort = new AbortController();
  #socket: WebSocket | undefined;
  readonly #unread: (string | ArrayBuffer)[] = [];
  #unreadLength = 0;
  #isOver = false;
  #wake: () => void = () => undefined;

  /** @param address http or https */
  constructor(address: string, headers: string) {
    this.opened = this.#open(address, headers);
    this.opened.catch(() => undefined);
  }

  async #open(address: string, headers: string): Promise<string> {
    const given = new Headers(JSON.parse(headers) as [string, string][]);
    given.set("upgrade", "websocket");
    const response = await native.fetch(address, { headers: given, redirect: "manual", signal: this.#abort.signal });
    const { webSocket: socket, status } = response as Response & { webSocket: WebSocket | null };
    if (!socket) {
      await response.body?.cancel();
      return JSON.stringify({ status: status === 101 ? 502 : status, protocol: "" });
    }
    if (this.#isOver) throw new Error("The call has ended");
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => this.#take(data as string | ArrayBuffer));
    socket.addEventListener("close", ({ code, reason }) => this.#end(code, reason));
    socket.addEventListener("error", () => this.#end(1006, ""));
    (socket as unknown as { accept(): void }).accept();
    return JSON.stringify({ status: 101, protocol: response.headers.get("sec-websocket-protocol") ?? "" });
  }

  /** The next message; undefined when it is closed. */
  async read(): Promise<string | Uint8Array | undefined> {
    while (this.#unread.length === 0) {
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const message = this.#unread.shift()!;
    this.#unreadLength -= lengthOf(message);
    return typeof message === "string" ? message : new Uint8Array(message);
  }

  /** @throws Error where it is closed */
  send(message: string | Uint8Array): void {
    if (this.#isOver || !this.#socket) throw new Error("The WebSocket is closed");
    this.#socket.send(message as string);
  }

  close(code: number, reason: string): void {
    this.#abort.abort();
    try {
      this.#socket?.close(isSendable(code) ? code : 1000, reason.slice(0, 100));
    } catch {
      // Closed already.
    }
    this.#end(code, reason);
  }

  #take(message: string | ArrayBuffer): void {
    if (this.#isOver) return;
    this.#unread.push(message);
    this.#unreadLength += lengthOf(message);
    if (this.#unreadLength > maxUnread) this.close(1009, "Too many messages wait to be read");
    this.#wake();
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.closeCode = code;
    this.closeReason = reason;
    this.#wake();
  }
}

function lengthOf(message: string | ArrayBuffer): number {
  return typeof message === "string" ? message.length : message.byteLength;
}

/** Codes that may be sent (RFC 6455, 7.4): the others only say what was not sent. */
function isSendable(code: number): boolean {
  return (
    code === 1000 ||
    (code >= 1001 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) ||
    (code >= 3000 && code <= 4999)
  );
}
