import type { HeldCredential } from "../src/access.ts";
import type { AppError } from "../src/errors.ts";

/** Marks the sockets of followers among those of an object. */
const followerTag = "follower";
/** How long a follower may take to say that it delivers nothing more, milliseconds. */
const patience = 2000;

/** What is kept with a follower's socket, and is still there when the object comes back from hibernation. */
export interface FollowerNote {
  credential: HeldCredential;
  model: string;
}

/** A completion that a Worker answers over HTTP, and the socket over which it is told to stop. */
export interface Follower extends FollowerNote {
  socket: WebSocket;
}

/** The message that stops a Worker's completion. */
export interface Refusal {
  code: AppError["code"];
  message: string;
}

/**
 * The completions of one person that Workers answer. They are tracked by sockets, because those hibernate and because
 * the runtime closes them when the Worker is gone: a promise would wait forever.
 */
export class FollowerSet {
  readonly #ctx: DurableObjectState;
  readonly #leaving = new Map<WebSocket, () => void>();

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  get all(): Follower[] {
    return this.#ctx
      .getWebSockets(followerTag)
      .filter((socket) => socket.readyState === WebSocket.OPEN)
      .map((socket) => ({ ...(socket.deserializeAttachment() as FollowerNote), socket }));
  }

  accept(socket: WebSocket, note: FollowerNote): Follower {
    this.#ctx.acceptWebSocket(socket, [followerTag]);
    socket.serializeAttachment(note);
    return { ...note, socket };
  }

  has(socket: WebSocket): boolean {
    // Not by its tags: a socket that has closed has none.
    return "model" in (socket.deserializeAttachment() as object);
  }

  /** Resolves when the Worker has taken it in, or after a while. */
  async refuse({ socket }: Follower, { code, message }: Refusal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#leaving.set(socket, resolve);
    const timer = setTimeout(resolve, patience);
    try {
      socket.send(JSON.stringify({ code, message } satisfies Refusal));
      await promise;
    } catch {
      // The completion ended while this was on its way.
    }
    clearTimeout(timer);
    this.#leaving.delete(socket);
  }

  /** Closes our side. */
  remove(socket: WebSocket): void {
    this.#leaving.get(socket)?.();
    try {
      socket.close();
    } catch {
      // Both sides have closed already.
    }
  }
}
