import { tryParseJson } from "../src/lib/json.ts";
import type { Asking, QuestionDesk } from "./question-desk.ts";

/** The sockets of those who ask the person from outside: a question is closed when its asker is gone. */
export class AskerSet {
  readonly #ctx: DurableObjectState;
  readonly #questions: QuestionDesk;
  readonly #asking = new Map<WebSocket, AbortController>();

  constructor(ctx: DurableObjectState, questions: QuestionDesk) {
    this.#ctx = ctx;
    this.#questions = questions;
  }

  accept(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server);
    server.serializeAttachment({ isAsker: true });
    return new Response(null, { status: 101, webSocket: client });
  }

  has(socket: WebSocket): boolean {
    // Not by its tags: a socket that has closed has none.
    return "isAsker" in (socket.deserializeAttachment() as object);
  }

  /** Lasts as long as the question waits, which keeps the object from hibernating. */
  async receive(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const asking = typeof data === "string" ? (tryParseJson(data) as Asking | undefined) : undefined;
    if (!asking || this.#asking.has(socket)) return;
    const abort = new AbortController();
    this.#asking.set(socket, abort);
    const outcome = await this.#questions.ask(asking, abort.signal);
    this.#asking.delete(socket);
    if (abort.signal.aborted) return;
    try {
      socket.send(JSON.stringify(outcome));
    } catch {
      // It closed while this was on its way.
    }
    close(socket);
  }

  /** Closes our side, and the question. */
  remove(socket: WebSocket): void {
    this.#asking.get(socket)?.abort();
    close(socket);
  }
}

function close(socket: WebSocket): void {
  try {
    socket.close(1000);
  } catch {
    // Both sides have closed already.
  }
}
