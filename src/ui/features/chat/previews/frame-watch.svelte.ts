import { texts } from "./texts.ts";

/** A line of the frame's console. */
export interface ConsoleLine {
  id: number;
  level: "debug" | "log" | "info" | "warn" | "error" | "blocked";
  text: string;
  line: number | undefined;
}

/** What the frame shows. `libraries` defines the modules that `code` may load. */
export interface FrameContent {
  html: string;
  code?: string;
  libraries?: string;
}

const levels: ReadonlySet<string> = new Set(["debug", "log", "info", "warn", "error", "blocked"]);
/** Lines that are kept; of more, only that there were some. */
const maxLines = 300;
const maxText = 4000;
/** A frame that says more than this in a second keeps this page busy, and is stopped. */
const maxMessages = 2000;
const pingMs = 1000;
/** Without an answer for so long a note offers to stop it; and so long later it is stopped. */
const silentMs = 4000;
const endMs = 15_000;
/** Until the frame has to be there. */
const loadMs = 15_000;

/**
 * Looks after one frame: gives it its content when it is ready, takes its messages, and stops one that talks too much or no
 * longer answers. To stop is to take the frame away, which ends its process or its part of one.
 */
export class FrameWatch {
  lines = $state.raw<readonly ConsoleLine[]>([]);
  hasDropped = $state(false);
  isSilent = $state(false);
  /** Why it was stopped; undefined while it runs. */
  ended = $state<string>();
  readonly #frame: () => Window | null | undefined;
  readonly #content: FrameContent;
  readonly #started = performance.now();
  #isShown = false;
  #answeredAt = performance.now();
  #count = 0;
  #second = 0;
  #ids = 0;
  #pings = 0;
  #pending: ConsoleLine[] = [];
  #isDue = false;

  constructor(frame: () => Window | null | undefined, content: FrameContent) {
    this.#frame = frame;
    this.#content = content;
  }

  /** Watches until the returned function is called. */
  watch(): () => void {
    addEventListener("message", this.#hear);
    const timer = setInterval(this.#ask, pingMs);
    return () => {
      removeEventListener("message", this.#hear);
      clearInterval(timer);
    };
  }

  stop(reason: string = texts.stopped): void {
    this.ended ??= reason;
    this.isSilent = false;
  }

  readonly #ask = (): void => {
    const frame = this.#frame();
    // In a tab that nobody sees, frames may rest.
    if (!frame || this.ended !== undefined || document.visibilityState !== "visible") {
      this.#answeredAt = performance.now();
      return;
    }
    const now = performance.now();
    if (!this.#isShown) {
      if (now - this.#started > loadMs) this.stop(texts.failed);
      return;
    }
    const waited = now - this.#answeredAt;
    this.isSilent = waited > silentMs;
    if (waited > endMs) this.stop(texts.ended);
    else frame.postMessage({ kind: "ping", number: (this.#pings += 1) }, "*");
  };

  readonly #hear = (event: MessageEvent<unknown>): void => {
    const frame = this.#frame();
    if (!frame || event.source !== frame || this.ended !== undefined) return;
    const second = Math.floor(performance.now() / 1000);
    this.#count = second === this.#second ? this.#count + 1 : 1;
    this.#second = second;
    if (this.#count > maxMessages) {
      this.stop(texts.flooded);
      return;
    }
    const data = typeof event.data === "object" && event.data !== null ? (event.data as Record<string, unknown>) : {};
    if (data["kind"] === "ready" && !this.#isShown) {
      this.#isShown = true;
      this.#answeredAt = performance.now();
      frame.postMessage({ kind: "show", ...this.#content }, "*");
    } else if (data["kind"] === "pong") {
      // Any sign of life counts; which one is no secret worth keeping from the frame.
      this.#answeredAt = performance.now();
      this.isSilent = false;
    } else if (data["kind"] === "clear") {
      this.#pending = [];
      this.lines = [];
    } else if (data["kind"] === "console") this.#take(data);
  };

  #take({ level, text, line }: Record<string, unknown>): void {
    if (this.lines.length + this.#pending.length >= maxLines) {
      this.hasDropped = true;
      return;
    }
    this.#pending.push({
      id: (this.#ids += 1),
      level: levels.has(String(level)) ? (level as ConsoleLine["level"]) : "log",
      text: (typeof text === "string" ? text : "").slice(0, maxText),
      line: typeof line === "number" && Number.isInteger(line) && line > 0 ? line : undefined,
    });
    if (this.#isDue) return;
    // All lines of a moment are one change of the list.
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      this.lines = [...this.lines, ...this.#pending];
      this.#pending = [];
    }, 50);
  }
}
