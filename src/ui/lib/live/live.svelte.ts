import { SvelteMap } from "svelte/reactivity";
import type { LiveEvent } from "../../../shared/live-protocol.ts";
import { toApiError } from "../api-error.ts";
import { api } from "../api.ts";
import { at } from "../base-path.ts";
import { online } from "../online.svelte.ts";
import { shell } from "../shell.svelte.ts";
import { LiveSocket } from "./live-socket.ts";
import type { KnownText, LiveRun, Received } from "./live-state.ts";
import { StreamSocket } from "./stream-socket.ts";

/** Behind a hidden tab there are no animation frames; text need not be painted there more often than this (ms). */
const hiddenStep = 500;

/** What an event has brought to its end. */
export interface Ended {
  /** The run, with all of its text. */
  run: LiveRun | undefined;
  /** The question. */
  question: LiveEvent | undefined;
}

type EventHandler = (event: LiveEvent, ended: Ended) => void;

/** What the service says about the person whose connection it is. */
export interface PersonHandlers {
  /** The session has ended. */
  signedOut: () => void;
  /** Their rights may have changed. */
  changed: () => void;
}

/**
 * The live connection as components see it. Frames are collected and applied once per animation frame, so that a fast
 * stream costs one update of the page per frame.
 */
class Live {
  /** Answers under way by message id. */
  readonly runs = new SvelteMap<string, LiveRun>();
  /** Questions that wait for an answer, by the id of the call, oldest first. */
  readonly calls = new SvelteMap<string, LiveEvent>();
  connected = $state(false);
  /** What the service calls this tab; changes with every connection. */
  sessionId = $state<string>();
  #handlers = new Set<EventHandler>();
  #reloaders = new Set<(first: boolean) => void>();
  #wasConnected = false;
  #asking = false;
  #known = new Set<KnownText>();
  #events: { event: LiveEvent; ended: Ended }[] = [];
  #reload = false;
  #scheduled = false;
  #person: PersonHandlers = { signedOut: () => {}, changed: () => {} };
  #socket = new LiveSocket({
    open: (way, state) =>
      way === "socket"
        ? new WebSocket(new URL(at("/api/v1/events"), location.href.replace(/^http/u, "ws")))
        : new StreamSocket(state, isVisible),
    onReceived: (received) => this.#take(received),
    onConnected: (connected, way) => {
      this.connected = connected;
      if (connected) shell.socketsBlocked = way === "stream";
    },
    onLost: () => void this.#lost(),
    isVisible,
    known: (id) => {
      for (const known of this.#known) {
        const text = known(id);
        if (text) return text;
      }
      return undefined;
    },
  });

  /** Connects, once for the whole app. */
  start(person: PersonHandlers): void {
    this.#person = person;
    this.#listen();
    this.#socket.start();
  }

  /** Asks the server for all runs as they are now: for a chat that was loaded in the middle of an answer. */
  refresh(): void {
    this.#socket.refresh();
  }

  /** Says that the person is writing in a channel, or in a thread of it. */
  typing(channelId: string, parentId: string | null): void {
    this.#socket.say({ kind: "typing", channel_id: channelId, parent_id: parentId });
  }

  /** Hands every new event to `handler`, exactly once and in order. Returns the way to stop it. */
  onEvent(handler: EventHandler): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /**
   * Calls when events may have been missed, so that what is shown must be loaded again. `first` marks the first connection:
   * then only what was loaded a moment before it can be too old. Returns the way to stop it.
   */
  onReload(reload: (first: boolean) => void): () => void {
    this.#reloaders.add(reload);
    return () => this.#reloaders.delete(reload);
  }

  /** Tells what a message holds before a run begins to write to it. Returns the way to stop it. */
  onQuestion(known: KnownText): () => void {
    this.#known.add(known);
    return () => this.#known.delete(known);
  }

  #listening = false;

  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    addEventListener("online", () => this.#socket.wake());
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.#socket.wake();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#socket.wake();
      else {
        this.#socket.reportVisibility();
        // The frame that was asked for does not come any more.
        if (this.#scheduled) this.#apply();
      }
    });
  }

  /**
   * A broken socket may mean that the service is gone or that only sockets do not get through: a small request tells which,
   * and its failure shows in the page as being offline. When the service answers again, the socket need not wait longer.
   */
  async #lost(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      await api("GET", "/health", { timeout: 5000 });
    } catch (cause) {
      if (toApiError(cause).code === "offline") {
        await online.back();
        this.#socket.wake();
      }
    }
    this.#asking = false;
  }

  #take(received: Received): void {
    if (received.then === "sign-in") {
      this.#person.signedOut();
      return;
    }
    if (received.event)
      this.#events.push({ event: received.event, ended: { run: received.ended, question: received.closed } });
    if (received.then === "reload") this.#reload = true;
    if (this.#scheduled) return;
    this.#scheduled = true;
    const apply = (): void => this.#apply();
    if (document.visibilityState === "visible") requestAnimationFrame(apply);
    else setTimeout(apply, hiddenStep);
  }

  #apply(): void {
    this.#scheduled = false;
    this.sessionId = this.#socket.state.sessionId;
    take(this.runs, this.#socket.state.runs);
    take(this.calls, this.#socket.state.calls);
    const events = this.#events.splice(0);
    const reload = this.#reload;
    this.#reload = false;
    if (events.some(({ event }) => event.data.type === "session:changed")) this.#person.changed();
    for (const { event, ended } of events) for (const handler of this.#handlers) handler(event, ended);
    if (!reload) return;
    for (const load of this.#reloaders) load(!this.#wasConnected);
    this.#wasConnected = true;
  }
}

function isVisible(): boolean {
  return document.visibilityState === "visible";
}

/** Makes a map that components watch equal to what is known, touching only what is different. */
function take<T>(shown: SvelteMap<string, T>, known: Readonly<Record<string, T>>): void {
  for (const id of shown.keys()) if (!known[id]) shown.delete(id);
  for (const [id, value] of Object.entries(known)) if (shown.get(id) !== value) shown.set(id, value);
}

export const live = new Live();
