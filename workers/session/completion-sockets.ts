import type { HeldCredential } from "../../src/access.ts";
import type { Refusal } from "../../src/events/rights-checker.ts";

/** Marks the sockets of followers among those of an object. */
const completionTag = "follower";
/** How long a follower may take to say that it delivers nothing more, milliseconds. */
const confirmTimeoutMs = 2000;

/** What is kept with a follower's socket, and is still there when the object comes back from hibernation. */
export interface CompletionNote {
  credential: HeldCredential;
  model: string;
}

/** A completion that a Worker answers over HTTP, and the socket over which it hears that it must not go on. */
export interface OpenCompletion extends CompletionNote {
  socket: WebSocket;
}

/**
 * The completions of one object's person that are answered elsewhere. They hang on sockets, because those hibernate and
 * because the runtime closes them when the Worker at the other end is gone: a promise would wait for ever.
 */
export class CompletionSockets {
  readonly #ctx: DurableObjectState;
  readonly #ending = new Map<WebSocket, () => void>();

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  get all(): OpenCompletion[] {
    return this.#ctx
      .getWebSockets(completionTag)
      .filter((socket) => socket.readyState === WebSocket.OPEN)
      .map((socket) => ({ ...(socket.deserializeAttachment() as CompletionNote), socket }));
  }

  accept(socket: WebSocket, note: CompletionNote): OpenCompletion {
    this.#ctx.acceptWebSocket(socket, [completionTag]);
    socket.serializeAttachment(note);
    return { ...note, socket };
  }

  has(socket: WebSocket): boolean {
    // Not by its tags: a socket that has closed has none.
    return "model" in (socket.deserializeAttachment() as object);
  }

  /** Resolves when the Worker has taken it in, or after a while. */
  async refuse({ socket }: OpenCompletion, { code, message }: Refusal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ending.set(socket, resolve);
    const timer = setTimeout(resolve, confirmTimeoutMs);
    try {
      socket.send(JSON.stringify({ code, message } satisfies Refusal));
      await promise;
    } catch {
      // The completion ended while this was on its way.
    }
    clearTimeout(timer);
    this.#ending.delete(socket);
  }

  /** Closes our side. */
  remove(socket: WebSocket): void {
    this.#ending.get(socket)?.();
    try {
      socket.close();
    } catch {
      // Both sides have closed already.
    }
  }
}
