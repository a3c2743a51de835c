import type { ClientFrame } from "../../../shared/live-protocol.ts";
import { api } from "../api.ts";
import { at } from "../base-path.ts";
import { inOrder } from "../in-order.ts";
import { readEventStream } from "../read-event-stream.ts";
import type { SocketLike } from "./live-socket.ts";
import type { LiveState } from "./live-state.ts";

/** A stream that is silent for so long at its beginning is held back on the way: short answers get through. */
const firstLimit = 1500;
/** The service says something every 15 s. */
const silenceLimit = 40_000;
/** Seconds that a short answer waits for events. */
const waitSeconds = 20;
const signedOutCode = 4401;
const tryLaterCode = 1013;
const lostCode = 1006;

type Listener = (event: { code?: number; data?: unknown }) => void;

/**
 * What a WebSocket does, over plain HTTP: frames come as server-sent events, and where these are held back on the way, in
 * short answers one after the other. Each request says what was seen last, so nothing is lost in between.
 */
export class StreamSocket implements SocketLike {
  readyState = 0;
  readonly #state: () => LiveState;
  readonly #isVisible: () => boolean;
  readonly #ended = new AbortController();
  readonly #listeners = new Map<string, Listener[]>();
  #isHeldBack = false;
  #heardAt = Date.now();
  /** One frame after the other, as on a WebSocket. */
  readonly #inTurn = inOrder();

  constructor(state: () => LiveState, isVisible: () => boolean) {
    this.#state = state;
    this.#isVisible = isVisible;
    queueMicrotask(() => {
      if (this.#ended.signal.aborted) return;
      this.readyState = 1;
      this.#tell("open", {});
    });
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  send(text: string): void {
    if (text === "ping") {
      if (Date.now() - this.#heardAt < silenceLimit) queueMicrotask(() => this.#tell("message", { data: "pong" }));
      return;
    }
    const frame = JSON.parse(text) as ClientFrame;
    if (frame.kind === "hello") return void this.#read();
    const { sessionId } = this.#state();
    if (sessionId === undefined) return;
    const body = { session_id: sessionId, frame };
    // Nobody waits for these, and between two short answers there is no tab that they could be of.
    void this.#inTurn(() => api("POST", "/api/v1/events/frames", { body, plain401: true })).catch(() => undefined);
  }

  close(): void {
    this.readyState = 3;
    this.#ended.abort();
  }

  async #read(): Promise<void> {
    let code: number | undefined;
    for (let wait: number | undefined; code === undefined && !this.#ended.signal.aborted;) {
      code = await this.#readOnce(wait);
      // The first one at once: it tells that this way is open.
      wait = this.#isHeldBack ? (wait === undefined ? 0 : waitSeconds) : undefined;
    }
    if (this.#ended.signal.aborted) return;
    this.close();
    this.#tell("close", { code: code ?? lostCode });
  }

  /** @returns the code to close with; undefined where the next request goes on */
  async #readOnce(wait: number | undefined): Promise<number | undefined> {
    const { epoch, seq } = this.#state();
    const query = new URLSearchParams({ visible: String(this.#isVisible()) });
    if (wait !== undefined) query.set("wait", String(wait));
    const silent = new AbortController();
    const limit = wait === undefined ? firstLimit : (wait + 15) * 1000;
    let timer = setTimeout(() => silent.abort(), limit);
    let hasHeard = false;
    try {
      const response = await fetch(at(`/api/v1/events/stream?${query}`), {
        headers: epoch === undefined ? {} : { "last-event-id": `${epoch}:${seq}` },
        cache: "no-store",
        signal: AbortSignal.any([silent.signal, this.#ended.signal]),
      });
      if (response.status === 401) return signedOutCode;
      if (response.status === 429) return tryLaterCode;
      if (!response.ok || !response.body) return lostCode;
      for await (const events of readEventStream(response.body)) {
        hasHeard = true;
        this.#heardAt = Date.now();
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), silenceLimit);
        for (const data of events) if (!this.#ended.signal.aborted) this.#tell("message", { data });
      }
      return hasHeard ? undefined : lostCode;
    } catch {
      if (hasHeard) return undefined;
      if (!silent.signal.aborted || this.#isHeldBack) return lostCode;
      this.#isHeldBack = true;
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  #tell(type: string, event: { code?: number; data?: unknown }): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event);
  }
}
