import type { NewQuestion, OpenQuestions } from "../../src/events/open-questions.ts";
import { tryParseJson } from "../../src/lib/json.ts";

/** Those who ask the person from outside, by their sockets: a question is closed when its asker is gone. */
export class QuestionSockets {
  readonly #ctx: DurableObjectState;
  readonly #questions: OpenQuestions;
  readonly #open = new Map<WebSocket, AbortController>();

  constructor(ctx: DurableObjectState, questions: OpenQuestions) {
    this.#ctx = ctx;
    this.#questions = questions;
  }

  accept(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server);
    server.serializeAttachment({ isQuestion: true });
    return new Response(null, { status: 101, webSocket: client });
  }

  has(socket: WebSocket): boolean {
    // Not by its tags: a socket that has closed has none.
    return "isQuestion" in (socket.deserializeAttachment() as object);
  }

  /** Lasts as long as the question waits, which keeps the object from hibernating. */
  async receive(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const question = typeof data === "string" ? (tryParseJson(data) as NewQuestion | undefined) : undefined;
    if (!question || this.#open.has(socket)) return;
    const abort = new AbortController();
    this.#open.set(socket, abort);
    const outcome = await this.#questions.ask(question, abort.signal);
    this.#open.delete(socket);
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
    this.#open.get(socket)?.abort();
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
