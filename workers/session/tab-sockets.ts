import type { Effect } from "../../src/events/session.ts";
import type { SocketNote } from "../../src/events/socket-note.ts";
import { closeTryLater } from "../../src/shared/live-protocol.ts";
import { isBehind, maxWaitingBytes } from "../waiting-bytes.ts";

/** Marks the sockets of tabs among those of an object. */
const tabTag = "tab";
/** Bytes that may wait for each socket of a person with many: a hundred that do not read must not cost much either. */
const maxWaitingBytesOfMany = 1_000_000;
/** Beyond so many it applies. */
const manySockets = 8;

/** The sockets of one person's tabs, including hibernating ones, by the ids in their stored notes. */
export class TabSockets {
  readonly #ctx: DurableObjectState;
  readonly #sockets = new Map<string, WebSocket>();
  /** Closed by us, but not yet by the other side: what waits for them still takes memory. */
  readonly #leaving = new Set<WebSocket>();
  readonly #changed: (count: number) => void;

  /**
   * Finds the sockets that were open before a hibernation.
   * @param changed is told how many are open, now and whenever that changes
   */
  constructor(ctx: DurableObjectState, changed: (count: number) => void) {
    this.#ctx = ctx;
    this.#changed = changed;
    for (const socket of ctx.getWebSockets(tabTag)) {
      if (socket.readyState === WebSocket.OPEN) this.#sockets.set(noteOf(socket).id, socket);
      else this.#leaving.add(socket);
    }
    changed(this.size);
  }

  get notes(): SocketNote[] {
    return [...this.#sockets.values()].map(noteOf);
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** With those that are leaving. */
  get connections(): number {
    return this.#sockets.size + this.#leaving.size;
  }

  /** The caller has its note kept in the same turn: a socket without one is nobody's. */
  accept(id: string, socket: WebSocket): void {
    this.#ctx.acceptWebSocket(socket, [tabTag]);
    this.#sockets.set(id, socket);
    this.#changed(this.size);
  }

  idOf(socket: WebSocket): string {
    return noteOf(socket).id;
  }

  /** The socket of a tab that was opened with this credential. */
  find(id: string, credentialId: string): WebSocket | undefined {
    const socket = this.#sockets.get(id);
    return socket && noteOf(socket).credential.id === credentialId ? socket : undefined;
  }

  /** Whether it was not closed here. */
  has(socket: WebSocket): boolean {
    return this.#sockets.has(this.idOf(socket));
  }

  /** @returns ids of tabs that were closed because they do not read */
  carryOut(effects: readonly Effect[]): string[] {
    const closed: string[] = [];
    const maxBytes = this.connections > manySockets ? maxWaitingBytesOfMany : maxWaitingBytes;
    for (const effect of effects) {
      if (effect.kind === "settle" || effect.kind === "typing") continue;
      const id = effect.kind === "keep" ? effect.note.id : effect.socket;
      const socket = this.#sockets.get(id);
      if (!socket) continue;
      try {
        if (effect.kind === "keep") socket.serializeAttachment(effect.note);
        else if (effect.kind === "close") this.#end(id, socket, effect.code, effect.reason);
        else if (isBehind(socket, maxBytes)) {
          closed.push(id);
          this.#end(id, socket, closeTryLater, "too many events wait to be read");
        } else socket.send(effect.text);
      } catch {
        // The socket closed while this was on its way; its close event comes or has come.
      }
    }
    return closed;
  }

  /** Takes a socket out and closes our side of it. */
  remove(socket: WebSocket): void {
    this.#sockets.delete(this.idOf(socket));
    this.#leaving.delete(socket);
    this.#changed(this.size);
    try {
      socket.close();
    } catch {
      // Both sides have closed already.
    }
  }

  /** Sockets that were opened before then and have not even pinged since. @param time epoch milliseconds */
  silentSince(time: number): WebSocket[] {
    const heardAt = (socket: WebSocket) =>
      this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? noteOf(socket).openedAt;
    return [...this.#sockets.values(), ...this.#leaving].filter((socket) => heardAt(socket) < time);
  }

  #end(id: string, socket: WebSocket, code: number, reason: string): void {
    this.#sockets.delete(id);
    this.#leaving.add(socket);
    this.#changed(this.size);
    socket.close(code, reason);
  }
}

function noteOf(socket: WebSocket): SocketNote {
  return socket.deserializeAttachment() as SocketNote;
}
