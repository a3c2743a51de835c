import type { Effect, SocketNote } from "../../src/events/session.ts";

/** Marks the sockets of tabs among those of an object. */
const tabTag = "tab";

/** The sockets of one person's tabs, hibernating ones included, by the ids in the notes that are kept with them. */
export class TabSockets {
  readonly #ctx: DurableObjectState;
  readonly #sockets = new Map<string, WebSocket>();

  /** Finds the sockets that were open before a hibernation. */
  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    for (const socket of ctx.getWebSockets(tabTag)) this.#sockets.set(noteOf(socket).id, socket);
  }

  get notes(): SocketNote[] {
    return [...this.#sockets.values()].map(noteOf);
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** The caller has its note kept in the same turn: a socket without one is nobody's. */
  accept(id: string, socket: WebSocket): void {
    this.#ctx.acceptWebSocket(socket, [tabTag]);
    this.#sockets.set(id, socket);
  }

  idOf(socket: WebSocket): string {
    return noteOf(socket).id;
  }

  carryOut(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === "settle" || effect.kind === "typing") continue;
      const id = effect.kind === "keep" ? effect.note.id : effect.socket;
      const socket = this.#sockets.get(id);
      if (!socket) continue;
      try {
        if (effect.kind === "send") socket.send(effect.text);
        else if (effect.kind === "keep") socket.serializeAttachment(effect.note);
        else this.#end(id, socket, effect.code, effect.reason);
      } catch {
        // The socket closed while this was on its way; its close event comes or has come.
      }
    }
  }

  /** Takes a socket out and closes our side of it. */
  remove(socket: WebSocket): void {
    try {
      this.#end(this.idOf(socket), socket);
    } catch {
      // Both sides have closed already.
    }
  }

  /** Sockets that have not even pinged since then. @param time epoch milliseconds */
  silentSince(time: number): WebSocket[] {
    const heard = (socket: WebSocket) => this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    return [...this.#sockets.values()].filter((socket) => heard(socket) < time);
  }

  #end(id: string, socket: WebSocket, code?: number, reason?: string): void {
    this.#sockets.delete(id);
    socket.close(code, reason);
  }
}

function noteOf(socket: WebSocket): SocketNote {
  return socket.deserializeAttachment() as SocketNote;
}
