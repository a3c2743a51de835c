import type { PluginCall, PluginFailure, PluginLog, PluginResult } from "../../src/plugins/plugin-host.ts";
import { CallLogs } from "./call-logs.ts";
import { CallRest } from "./call-rest.ts";
import type { IsolateBridge, IsolateFailure } from "./isolate.ts";
import { parseUntrusted } from "./parse-untrusted.ts";

/** Characters of JSON of all that it says and asks for. */
const maxSaidLength = 64_000_000;

/**
 * The service's side of one call: answers the isolate's requests in order, keeps the log, and ends the call on timeout
 * or when its caller cancels. Independent of the transport.
 */
export class CallDriver implements IsolateBridge {
  readonly result: Promise<PluginResult>;
  /** Aborted when the call ends before the isolate has ended it. */
  readonly ended: AbortSignal;
  /** Resolves when nothing of the call goes on any more. */
  readonly closed: Promise<void>;
  readonly #call: PluginCall;
  readonly #end = new AbortController();
  readonly #logs = new CallLogs();
  #resolve!: (result: PluginResult) => void;
  #resolveClosed!: () => void;
  #rest: CallRest | undefined;
  #isOver = false;
  #hasBegun = false;
  #isRepeated = false;
  #said = 0;
  /** Events and chunks, one after another. */
  #queue: Promise<void> = Promise.resolve();
  /** Things that the plugin waits for without being to blame. */
  #waiting = 0;
  #remaining: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(call: PluginCall) {
    this.#call = call;
    this.#remaining = call.timeoutMs;
    this.result = new Promise((resolve) => (this.#resolve = resolve));
    this.ended = this.#end.signal;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    call.signal.addEventListener("abort", this.#onAbort);
    if (call.signal.aborted) this.#onAbort();
    else this.#startClock();
  }

  /** Whether it has answered and something of it goes on. */
  get isResting(): boolean {
    return this.#rest?.isOver === false;
  }

  emit(event: string): Promise<void> {
    this.#hear(event);
    return this.#inOrder(() => this.#call.capabilities.emit(parseUntrusted(event)));
  }

  async call(event: string): Promise<string> {
    this.#hear(event);
    await this.#assertMay();
    return this.#withoutClock(async () => toJson(await this.#call.capabilities.call(parseUntrusted(event))));
  }

  async request(name: string, args: string): Promise<string> {
    this.#hear(args);
    await this.#assertMay();
    const given = parseUntrusted(args);
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new Error("The argument of a request must be an object");
    return toJson(await this.#call.capabilities.request(name, given as Record<string, unknown>));
  }

  chunk(value: string): Promise<void> {
    this.#hear(value);
    return this.#inOrder(() => {
      if (this.#isOver) throw new Error("The function has answered already");
      return this.#withoutClock(async () => this.#call.onChunk?.(parseUntrusted(value)));
    });
  }

  over(): Promise<void> {
    return this.result.then(() => undefined);
  }

  async log(level: PluginLog["level"], text: string): Promise<void> {
    if (!this.#isOver) this.#logs.add(level, text);
    else this.#rest?.logs.add(level, text);
  }

  /**
   * The function has answered and left something running; the answer follows after everything that was sent before.
   * @returns how long that may go on, in ms; "0": not at all, and the answer is still to come
   */
  async rest(text: string): Promise<string> {
    await this.#queue;
    const { afterwards } = this.#call;
    if (this.#isOver || !afterwards) return "0";
    const limitMs = Math.floor(Math.min(afterwards.limitMs, this.#remainingNow()));
    if (limitMs <= 0) return "0";
    const result = readResult(text);
    this.#rest = new CallRest(afterwards, limitMs, () => this.#close(true));
    this.#settle(result);
    return String(limitMs);
  }

  /** The isolate has answered; the result follows after everything that it sent before. */
  async finish(text: string): Promise<void> {
    await this.#queue;
    if (this.#rest) return this.#close(false);
    try {
      this.#settle(readResult(text));
      this.#close(false);
    } catch {
      this.fail({ code: "threw", message: "The plugin's answer could not be read" });
    }
  }

  /** The plugin's own code has begun. */
  begin(): void {
    this.#hasBegun = true;
  }

  /**
   * Whether the call can be made again without doing anything twice, which happens once: it has not begun, or has asked for
   * nothing and has no network. What it printed is forgotten.
   */
  canRepeat(hasNetwork: boolean): boolean {
    if (this.#isOver || this.#isRepeated || (this.#hasBegun && (hasNetwork || this.#said > 0))) return false;
    this.#isRepeated = true;
    this.#hasBegun = false;
    this.#logs.forget();
    return true;
  }

  /** Ends the call; the isolate is told by `ended`. */
  fail(error: PluginFailure): void {
    this.#settle({ ok: false, error });
    this.#close(true);
  }

  /** @param isEarly whether the isolate has to be told */
  #close(isEarly: boolean): void {
    this.#rest?.over();
    this.#resolveClosed();
    if (isEarly) this.#end.abort();
  }

  #settle(result: WithoutLogs): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#call.signal.removeEventListener("abort", this.#onAbort);
    this.#resolve({ ...result, logs: this.#logs.all });
  }

  readonly #onAbort = () => this.fail({ code: "aborted", message: "The call was cancelled" });

  #hear(text: string): void {
    this.#said += text.length;
    if (this.#said > maxSaidLength)
      this.fail({ code: "output", message: "Its output is larger than the limit for one call" });
  }

  /** After the answer it is looked at again each time. */
  #assertMay(): Promise<void> | void {
    if (!this.#isOver) return;
    if (!this.#rest) throw new Error("The call has ended");
    return this.#rest.check();
  }

  /** Each waits for the one before; that one's error is its own. */
  #inOrder(work: () => void | Promise<void>): Promise<void> {
    const done = this.#queue.then(async () => {
      await this.#assertMay();
      return work();
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #withoutClock<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting++ === 0) this.#stopClock();
    try {
      return await work();
    } finally {
      if (--this.#waiting === 0 && !this.#isOver) this.#startClock();
    }
  }

  #startClock(): void {
    this.#since = Date.now();
    const message = `It took longer than ${Math.round(this.#call.timeoutMs / 1000)} seconds`;
    this.#timer = setTimeout(() => this.fail({ code: "timeout", message }), Math.max(0, this.#remaining));
  }

  #stopClock(): void {
    clearTimeout(this.#timer);
    this.#remaining -= Date.now() - this.#since;
  }

  #remainingNow(): number {
    return this.#waiting > 0 ? this.#remaining : this.#remaining - (Date.now() - this.#since);
  }
}

type WithoutLogs = { ok: true; value: unknown; streamed: boolean } | { ok: false; error: PluginFailure };

/** @throws for anything that is not an IsolateResult */
function readResult(text: string): WithoutLogs {
  const result = parseUntrusted(text) as { ok?: unknown; value?: unknown; streamed?: unknown; error?: IsolateFailure };
  if (result.ok === true) return { ok: true, value: result.value ?? null, streamed: result.streamed === true };
  const { code, name, message, line, status, package: missing } = result.error ?? ({} as IsolateFailure);
  if (code !== "threw" && code !== "missing" && code !== "output") throw new Error("no such code");
  return {
    ok: false,
    error: {
      code,
      message: String(message),
      ...(typeof name === "string" ? { name } : {}),
      ...(typeof line === "number" ? { line } : {}),
      ...(typeof status === "number" ? { status } : {}),
      ...(typeof missing === "string" ? { package: missing } : {}),
    },
  };
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
