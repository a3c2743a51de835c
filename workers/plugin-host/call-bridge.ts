import { RpcTarget } from "cloudflare:workers";
import type { PluginLog } from "../../src/plugins/plugin-host.ts";
import type { FrameToService } from "./frames.ts";
import { type IsolateBridge, outputLimit } from "./isolate.ts";
import { pace } from "./pace.ts";

/** Chunks under way to the service before the plugin waits. */
const chunkWindow = 16;
/** What a call may have asked for without an answer yet. */
const maxPending = 1000;
const maxLogs = 1001;

type Ask = Extract<FrameToService, { t: "ask" }>;
type Waiting = { resolve(json: string): void; reject(error: Error): void };

/** What the isolate holds of one call. Every method of such a target can be called from there, so it has no others. */
export class CallBridge extends RpcTarget implements IsolateBridge {
  readonly #asks: CallAsks;

  constructor(asks: CallAsks) {
    super();
    this.#asks = asks;
  }

  emit(event: string): Promise<void> {
    return this.#asks.emit(event);
  }

  call(event: string): Promise<string> {
    return this.#asks.call(event);
  }

  request(name: string, args: string): Promise<string> {
    return this.#asks.request(name, args);
  }

  chunk(value: string): Promise<void> {
    return this.#asks.chunk(value);
  }

  over(): Promise<void> {
    return this.#asks.over();
  }

  log(level: PluginLog["level"], text: string): Promise<void> {
    return this.#asks.log(level, text);
  }
}

/** What one call asks for: each becomes a frame to the service, until the call is over. */
export class CallAsks implements IsolateBridge {
  readonly #id: number;
  readonly #send: (frame: FrameToService) => void;
  readonly #waiting = new Map<number, Waiting>();
  #refs = 0;
  #logs = 0;
  /** Chunks that were not taken yet, oldest first. */
  readonly #chunks: Promise<unknown>[] = [];
  #isOver = false;
  /** They are sent in the order in which they were asked, however long one has to wait. */
  #turn: Promise<void> = Promise.resolve();
  #resolveOver!: () => void;
  readonly #over = new Promise<void>((resolve) => (this.#resolveOver = resolve));

  constructor(id: number, send: (frame: FrameToService) => void) {
    this.#id = id;
    this.#send = send;
  }

  async emit(event: string): Promise<void> {
    await this.#ask("emit", event);
  }

  call(event: string): Promise<string> {
    return this.#ask("call", event);
  }

  request(name: string, args: string): Promise<string> {
    if (typeof name !== "string") return Promise.reject(new TypeError("A request has a name"));
    return this.#ask("request", args, name);
  }

  /** A few may be under way; what went wrong with one is told with a later one. */
  async chunk(value: string): Promise<void> {
    const sent = this.#ask("chunk", value);
    sent.catch(() => undefined);
    this.#chunks.push(sent);
    if (this.#chunks.length >= chunkWindow) await this.#chunks.shift();
  }

  over(): Promise<void> {
    return this.#over;
  }

  async log(level: PluginLog["level"], text: string): Promise<void> {
    if (this.#isOver || typeof text !== "string" || ++this.#logs > maxLogs) return;
    const known = level === "debug" || level === "warning" || level === "error" ? level : "info";
    this.#send({ t: "log", id: this.#id, level: known, text: text.slice(0, 10_000) });
  }

  /** What the service said to one of the questions. Undefined `error` means `json` is the answer. */
  answer(ref: number, json: string, error?: string): void {
    const waiting = this.#waiting.get(ref);
    this.#waiting.delete(ref);
    if (error === undefined) waiting?.resolve(json);
    else waiting?.reject(new Error(error));
  }

  end(): void {
    this.#isOver = true;
    this.#resolveOver();
    for (const { reject } of this.#waiting.values()) reject(new Error("The call is over"));
    this.#waiting.clear();
  }

  #ask(kind: Ask["kind"], json: string, name = ""): Promise<string> {
    if (this.#isOver) return Promise.reject(new Error("The call is over"));
    if (typeof json !== "string" || json.length > outputLimit) {
      return Promise.reject(new Error("This is more than is taken at once"));
    }
    if (this.#waiting.size >= maxPending) return Promise.reject(new Error("Too much is asked for at the same time"));
    const ref = ++this.#refs;
    const ask = { t: "ask", id: this.#id, ref, json } as const;
    return new Promise((resolve, reject) => {
      this.#waiting.set(ref, { resolve, reject });
      this.#turn = this.#turn.then(async () => {
        const delay = kind === "emit" || kind === "chunk" ? pace(Date.now()) : 0;
        if (delay > 0) await scheduler.wait(delay);
        if (this.#isOver) return;
        try {
          this.#send(kind === "request" ? { ...ask, kind, name } : { ...ask, kind });
        } catch (error) {
          this.answer(ref, "null", (error as Error).message);
        }
      });
    });
  }
}
