import type { HeldCredential } from "../../src/access.ts";
import type { Refusal } from "../../src/events/rights-checker.ts";

/** Tag of sockets that belong to completions. */
const completionTag = "follower";
/** How long a Worker may take to confirm that it has stopped, milliseconds. */
const timeoutMs = 2000;

/** Stored with a completion's socket, so that it survives hibernation. */
export interface CompletionNote {
  credential: HeldCredential;
  model: string;
}

/** A completion that a Worker answers over HTTP, and the socket over which it hears that it must not go on. */
export interface OpenCompletion extends CompletionNote {
  socket: WebSocket;
}

/**
 * The completions of one person that Workers answer. They are tracked by sockets, because those hibernate and because
 * the runtime closes them when the Worker is gone: a promise would wait forever.
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

  /** Resolves when the Worker has confirmed it, or after a time limit. */
  async refuse({ socket }: OpenCompletion, { code, message }: Refusal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ending.set(socket, resolve);
    const timer = setTimeout(resolve, timeoutMs);
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
