import type { MailSocket } from "../ports.ts";
import { MailFailure } from "./mail-failure.ts";
import type { MailStep, MailTestResult } from "./schema.ts";

/** Longest line and longest answer that is read, in bytes: RFC 5321 has 512 for a line. */
const maxAnswerBytes = 64_000;
/** Lines of a conversation that are kept, and characters of each. */
const maxLines = 200;
const maxKeptLine = 500;

export interface Reply {
  code: number;
  lines: string[];
}

/** Turns bytes into replies: `250-one`, `250 two`. */
export class ReplyReader {
  #text = "";
  #lines: string[] = [];
  #code: number | undefined;
  readonly #decoder = new TextDecoder();

  /**
   * Takes bytes. @returns the reply, once its last line has come
   * @throws RangeError for what is no reply
   */
  take(bytes: Uint8Array): Reply | undefined {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    if (this.#text.length > maxAnswerBytes) throw new RangeError("the answer is too long");
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end < 0) return undefined;
      const line = this.#text.slice(0, end).replace(/\r$/, "");
      this.#text = this.#text.slice(end + 1);
      const match = /^([2-5]\d\d)([ -]?)(.*)$/s.exec(line);
      const code = Number(match?.[1]);
      if (!match || (this.#code !== undefined && code !== this.#code)) throw new RangeError(`"${line.slice(0, 100)}"`);
      this.#code = code;
      this.#lines.push(match[3]!);
      if (this.#lines.length > maxLines) throw new RangeError("the answer has too many lines");
      if (match[2] === "-") continue;
      const reply = { code, lines: this.#lines };
      this.#lines = [];
      this.#code = undefined;
      return reply;
    }
  }

  /** Whether something has come that nobody asked for. */
  get isEmpty(): boolean {
    return this.#text === "" && this.#lines.length === 0;
  }
}

/** Commands and replies over one socket, with a record of both. */
export class SmtpConnection {
  readonly conversation: MailTestResult["conversation"] = [];
  #socket: MailSocket;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  #replies = new ReplyReader();
  readonly #signal: AbortSignal;

  /** @param signal ends the wait for replies */
  constructor(socket: MailSocket, signal: AbortSignal) {
    this.#socket = socket;
    this.#reader = socket.readable.getReader();
    this.#writer = socket.writable.getWriter();
    this.#signal = signal;
  }

  /** Waits for a reply. @throws MailFailure where there is none, or none that can be read */
  async read(step: MailStep): Promise<Reply> {
    try {
      let reply: Reply | undefined;
      while (reply === undefined) {
        const { value, done } = await this.#orEnd(this.#reader.read());
        if (done) throw new MailFailure(step, "The mail server closed the connection without an answer");
        reply = this.#replies.take(value);
      }
      this.#note("server", reply.lines.map((line) => `${reply.code} ${line}`).join("\n"));
      return reply;
    } catch (error) {
      if (error instanceof RangeError)
        throw new MailFailure(step, `What answers there is not a mail server: ${error.message}`, { cause: error });
      throw this.#explain(step, error);
    }
  }

  /** Sends a line and waits for its reply. @param shown what the record says instead of a secret */
  async ask(step: MailStep, line: string, shown = line): Promise<Reply> {
    await this.write(step, `${line}\r\n`, shown);
    return this.read(step);
  }

  async write(step: MailStep, text: string, shown: string): Promise<void> {
    this.#note("parley", shown);
    try {
      await this.#orEnd(this.#writer.write(new TextEncoder().encode(text)));
    } catch (error) {
      throw this.#explain(step, error);
    }
  }

  /** Goes on encrypted. What came before in the clear counts for nothing: somebody may have added it (CVE-2011-0411). */
  async startTls(): Promise<void> {
    if (!this.#replies.isEmpty)
      throw new MailFailure("tls", "The mail server said more than it was asked before encryption");
    this.#reader.releaseLock();
    this.#writer.releaseLock();
    try {
      this.#socket = this.#socket.startTls();
      await this.#orEnd(this.#socket.opened);
    } catch (error) {
      throw this.#explain("tls", error);
    }
    this.#replies = new ReplyReader();
    this.#reader = this.#socket.readable.getReader();
    this.#writer = this.#socket.writable.getWriter();
  }

  close(): void {
    this.#socket.close().catch(() => undefined);
  }

  #note(from: "parley" | "server", text: string): void {
    if (this.conversation.length < maxLines) this.conversation.push({ from, text: text.slice(0, maxKeptLine) });
  }

  async #orEnd<T>(work: Promise<T>): Promise<T> {
    const signal = this.#signal;
    signal.throwIfAborted();
    let end: (() => void) | undefined;
    const over = new Promise<never>((_, reject) => {
      end = () => reject(signal.reason as Error);
      signal.addEventListener("abort", end, { once: true });
    });
    work.catch(() => undefined);
    try {
      return await Promise.race([work, over]);
    } finally {
      if (end) signal.removeEventListener("abort", end);
    }
  }

  #explain(step: MailStep, error: unknown): MailFailure {
    if (error instanceof MailFailure) return error;
    if (this.#signal.aborted) return new MailFailure(step, "The mail server did not answer in time", { cause: error });
    if (step === "tls")
      return new MailFailure(
        step,
        "The encrypted connection could not be made: the certificate of the mail server may be wrong",
        {
          cause: error,
        },
      );
    return new MailFailure(step, "The connection to the mail server was lost", { cause: error });
  }
}
