import type { ClientFrame, ServerFrame } from "../../../shared/live-protocol.ts";
import {
  type KnownText,
  type LiveState,
  type Received,
  helloFrame,
  initialLiveState,
  receiveFrame,
} from "./live-state.ts";

/** The part of a WebSocket that is used; tests give their own. */
export interface SocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "close" | "error", listener: (event: { code?: number }) => void): void;
  addEventListener(type: "message", listener: (event: { data?: unknown }) => void): void;
}

/** `stream`: over plain HTTP, where no sockets get through. */
export type Way = "socket" | "stream";

/** What the socket needs from its surroundings. */
export interface LiveSocketOptions {
  /** @param state what is known at each moment, to go on from there */
  open: (way: Way, state: () => LiveState) => SocketLike;
  /** Called after every frame that changed something. */
  onReceived: (received: Received) => void;
  /** Called when the connection is made or lost. */
  onConnected: (connected: boolean, way: Way) => void;
  /** Called when a connection broke or could not be made, before the wait for the next try. */
  onLost: () => void;
  known?: KnownText;
  isVisible: () => boolean;
  random?: () => number;
}

/** Close code of the service for a session that has ended (`closeSignedOut` in the protocol, whose module holds zod). */
const signedOutCode = 4401;
/** Close code of the service for a client that sends too much or is too far behind (`closeTryLater` in the protocol). */
const tryLaterCode = 1013;
/** Failures that such a close counts for, so that the next try waits for several seconds. */
const tryLaterFailures = 5;
const isOpen = 1;
const pingEvery = 25_000;
const silenceLimit = 10_000;
const visibleEvery = 30_000;
const maxWaitMs = 30_000;
const maxVisibleWaitMs = 10_000;
/** A socket that was not welcomed by then does not get through. */
const welcomeLimit = 2500;
/** Neither does one that fails so often in a row. */
const maxMisses = 2;
/** While the stream serves, a socket is tried again after so long, then after double the time up to a minute. */
const [firstTryAgain, maxTryAgain] = [5000, 60_000];

/**
 * Keeps one live connection, over a socket or, where none gets through, over a stream; then it tries a socket from time to time. A lost one is made again after a random wait that doubles up to 30 s (10 s while the tab is visible); a connection that does
 * not answer a ping within 10 s counts as lost (a laptop that slept, a network that changed). Never throws.
 */
export class LiveSocket {
  readonly #options: LiveSocketOptions;
  #state: LiveState = initialLiveState;
  #socket: SocketLike | undefined;
  #way: Way = "socket";
  /** Sockets in a row that were not welcomed. */
  #misses = 0;
  #failures = 0;
  #welcome: ReturnType<typeof setTimeout> | undefined;
  #tryAgain: ReturnType<typeof setTimeout> | undefined;
  #tryAgainMs = firstTryAgain;
  #stopped = true;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #lastReport = 0;

  constructor(options: LiveSocketOptions) {
    this.#options = options;
  }

  get state(): LiveState {
    return this.#state;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#connect();
  }

  /** Closes for good and forgets what was seen: the next person at this tab starts from the beginning. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    this.#stopTrying();
    this.#drop();
    this.#way = "socket";
    this.#state = initialLiveState;
  }

  /** The network or the tab is back: connects at once instead of waiting, and checks a connection that seems alive. */
  wake(): void {
    if (this.#stopped) return;
    if (!this.#socket) this.#connect();
    else if (this.#socket.readyState === isOpen) this.#ping();
    if (this.#tryAgain !== undefined) this.#trySocket();
    this.reportVisibility();
  }

  /** Asks for fresh snapshots of all runs, for a chat that was loaded in the middle of an answer. */
  refresh(): void {
    if (this.#stopped) return;
    this.#state = { ...this.#state, epoch: undefined };
    this.#reconnect();
  }

  /** Says something that nobody waits for: without a connection it is not said. */
  say(frame: ClientFrame): void {
    this.#send(frame);
  }

  reportVisibility(): void {
    this.#lastReport = Date.now();
    this.#send({ kind: "visible", visible: this.#options.isVisible() });
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const socket = this.#options.open(this.#way, () => this.#state);
    this.#socket = socket;
    if (this.#way === "socket") this.#welcome = setTimeout(() => this.#missed(maxMisses), welcomeLimit);
    socket.addEventListener("open", () => {
      if (socket !== this.#socket) return;
      this.#send(helloFrame(this.#state));
      this.reportVisibility();
      this.#beat = setInterval(() => this.#tick(), 5000);
      this.#lastPing = Date.now();
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#hear(event.data);
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.#socket) return;
      const wasMissed = this.#welcome !== undefined;
      this.#drop();
      if (event.code === signedOutCode) return this.#signedOut();
      if (event.code === tryLaterCode) this.#failures = Math.max(this.#failures, tryLaterFailures);
      else if (wasMissed) return this.#missed(1);
      this.#fallBack("socket");
      this.#retryLater();
    });
  }

  /** A socket was not welcomed. */
  #missed(count: number): void {
    this.#misses += count;
    if (this.#misses < maxMisses) return this.#retryLater();
    this.#fallBack("stream");
    this.#options.onLost();
    this.#reconnect();
  }

  #fallBack(way: Way): void {
    this.#way = way;
    this.#stopTrying();
  }

  #stopTrying(): void {
    clearTimeout(this.#tryAgain);
    this.#tryAgain = undefined;
  }

  /** The stream serves: asks from time to time whether a socket gets through by now. */
  #tryLater(): void {
    if (this.#tryAgain !== undefined) return;
    this.#tryAgain = setTimeout(() => this.#trySocket(), this.#tryAgainMs);
    this.#tryAgainMs = Math.min(2 * this.#tryAgainMs, maxTryAgain);
  }

  #trySocket(): void {
    this.#stopTrying();
    const probe = this.#options.open("socket", () => this.#state);
    const limit = setTimeout(() => probe.close(), welcomeLimit);
    let isThrough = false;
    probe.addEventListener("open", () => {
      isThrough = true;
      probe.close();
    });
    probe.addEventListener("close", () => {
      clearTimeout(limit);
      if (this.#stopped || this.#way === "socket") return;
      if (!isThrough) return this.#tryLater();
      this.#fallBack("socket");
      this.#reconnect();
    });
  }

  #lastPing = 0;

  #tick(): void {
    const now = Date.now();
    if (now - this.#lastPing >= pingEvery) this.#ping();
    if (this.#options.isVisible() && now - this.#lastReport >= visibleEvery) this.reportVisibility();
  }

  #ping(): void {
    if (this.#socket?.readyState !== isOpen || this.#silence !== undefined) return;
    this.#lastPing = Date.now();
    this.#socket.send("ping");
    this.#silence = setTimeout(() => this.#reconnect(), silenceLimit);
  }

  #hear(data: unknown): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
    const frame = readFrame(data);
    if (!frame) return;
    if (frame.kind === "welcome") {
      this.#failures = 0;
      clearTimeout(this.#welcome);
      this.#welcome = undefined;
      if (this.#way === "stream") this.#tryLater();
      else [this.#misses, this.#tryAgainMs] = [0, firstTryAgain];
      this.#options.onConnected(true, this.#way);
    }
    const received = receiveFrame(this.#state, frame, this.#options.known);
    this.#state = received.state;
    if (received.then === "sign-in") {
      this.#drop();
      this.#signedOut();
      return;
    }
    this.#options.onReceived(received);
    if (received.then === "reconnect") this.#reconnect();
  }

  #signedOut(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#stopTrying();
    this.#options.onReceived({ state: this.#state, then: "sign-in" });
  }

  #reconnect(): void {
    this.#drop();
    if (!this.#stopped) this.#connect();
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    clearInterval(this.#beat);
    clearTimeout(this.#silence);
    this.#silence = undefined;
    clearTimeout(this.#welcome);
    this.#welcome = undefined;
    if (socket) {
      socket.close();
      this.#options.onConnected(false, this.#way);
    }
  }

  #retryLater(): void {
    if (this.#stopped || this.#retry !== undefined) return;
    const ceiling = Math.min(500 * 2 ** this.#failures, this.#options.isVisible() ? maxVisibleWaitMs : maxWaitMs);
    this.#failures += 1;
    this.#options.onLost();
    const random = this.#options.random ?? Math.random;
    this.#retry = setTimeout(() => this.#connect(), ceiling / 2 + (random() * ceiling) / 2);
  }

  #send(frame: ClientFrame): void {
    if (this.#socket?.readyState === isOpen) this.#socket.send(JSON.stringify(frame));
  }
}

/** Frames come from this page's own service; only their kind is checked, so that a newer server's frames are ignored. */
function readFrame(data: unknown): ServerFrame | undefined {
  if (typeof data !== "string" || !data.startsWith("{")) return undefined;
  try {
    const frame = JSON.parse(data) as ServerFrame;
    return ["welcome", "event", "signed-out"].includes(frame.kind) ? frame : undefined;
  } catch {
    return undefined;
  }
}
