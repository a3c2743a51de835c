import { RpcTarget } from "cloudflare:workers";
import { countValues } from "../../src/lib/json-depth.ts";
import type { PluginLog } from "../../src/plugins/plugin-host.ts";
import type { FrameToService } from "./frames.ts";
import { type IsolateBridge, logLimit, outputLimit, valueLimit } from "./isolate.ts";
import type { Pace } from "./pace.ts";

/** Chunks under way to the service before the plugin waits. */
const chunkWindow = 16;
/** What a call may have asked for without an answer yet. */
const maxPending = 1000;

type Ask = Extract<FrameToService, { t: "ask" }>;
type Kind = Ask["kind"];
type Waiting = { kind: Kind; resolve(json: string): void; reject(error: Error): void };

/** So many are with the service at a time, the others wait for an answer to one of these. */
const atOnce: Record<Kind, number> = { emit: maxPending, chunk: maxPending, request: 32, call: 8, rest: 1 };
/** What the service does for one, in ms; besides, there is what it takes to read it: ms for each character and each value. */
const costs: Record<Kind, number> = { emit: 1, chunk: 1, request: 10, call: 10, rest: 1 };
const costOfCharacter = 1 / 10_000;
const costOfValue = 1 / 500;

/**
 * The bridge of one call inside the isolate. Every method of an RpcTarget can be called from there, so it has no
 * others.
 */
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

  rest(result: string): Promise<string> {
    return this.#asks.rest(result);
  }

  over(): Promise<void> {
    return this.#asks.over();
  }

  memory(bytes: number): Promise<void> {
    return this.#asks.memory(bytes);
  }

  log(level: PluginLog["level"], text: string): Promise<void> {
    return this.#asks.log(level, text);
  }
}

/** Calls of the isolate that have answered and go on. */
export interface RestingCalls {
  /** @returns false where there are too many */
  begin(): boolean;
  end(): void;
}

/** The requests of one call: each becomes a frame to the service until the call has ended. */
export class CallAsks implements IsolateBridge {
  readonly #id: number;
  readonly #send: (frame: FrameToService) => void;
  readonly #pace: Pace;
  readonly #noteMemory: (bytes: number) => void;
  readonly #resting: RestingCalls;
  readonly #waiting = new Map<number, Waiting>();
  /** With the service. */
  readonly #open: Record<Kind, number> = { emit: 0, chunk: 0, request: 0, call: 0, rest: 0 };
  /** Not sent yet, because too many are open. */
  readonly #held: Record<Kind, (() => void)[]> = { emit: [], chunk: [], request: [], call: [], rest: [] };
  #refs = 0;
  #logs = 0;
  /** Chunks that were not taken yet, oldest first. */
  readonly #chunks: Promise<unknown>[] = [];
  #isOver = false;
  /** Whether its function has answered and it goes on. */
  #isResting = false;
  /** They are sent in the order in which they were asked, however long one has to wait. */
  #turn: Promise<void> = Promise.resolve();
  #resolveOver!: () => void;
  readonly #over = new Promise<void>((resolve) => (this.#resolveOver = resolve));

  constructor(
    id: number,
    pace: Pace,
    send: (frame: FrameToService) => void,
    noteMemory: (bytes: number) => void = () => undefined,
    resting: RestingCalls = { begin: () => true, end: () => undefined },
  ) {
    this.#resting = resting;
    this.#id = id;
    this.#noteMemory = noteMemory;
    this.#pace = pace;
    this.#send = send;
  }

  async emit(event: string): Promise<void> {
    await this.#ask("emit", event);
  }

  call(event: string): Promise<string> {
    return this.#ask("call", event);
  }

  request(name: string, args: string): Promise<string> {
    if (typeof name !== "string") return Promise.reject(new TypeError("A request needs a name"));
    return this.#ask("request", args, name);
  }

  /** A few may be under way; what went wrong with one is told with a later one. */
  async chunk(value: string): Promise<void> {
    const sent = this.#ask("chunk", value);
    sent.catch(() => undefined);
    this.#chunks.push(sent);
    if (this.#chunks.length >= chunkWindow) await this.#chunks.shift();
  }

  async rest(result: string): Promise<string> {
    if (this.#isResting || this.#isOver || !this.#resting.begin()) return "0";
    this.#isResting = true;
    try {
      const granted = await this.#ask("rest", result);
      if (granted === "0") this.#restEnds();
      return granted;
    } catch (error) {
      this.#restEnds();
      throw error;
    }
  }

  over(): Promise<void> {
    return this.#over;
  }

  async memory(bytes: number): Promise<void> {
    // No isolate of 32 bits has more.
    if (Number.isSafeInteger(bytes) && bytes > 0 && bytes <= 2 ** 32) this.#noteMemory(bytes);
  }

  async log(level: PluginLog["level"], text: string): Promise<void> {
    if (this.#isOver || typeof text !== "string" || ++this.#logs > logLimit) return;
    const known = level === "debug" || level === "warning" || level === "error" ? level : "info";
    this.#send({ t: "log", id: this.#id, level: known, text: text.slice(0, 10_000) });
  }

  /** What the service said to one of the questions. Undefined `error` means `json` is the answer. */
  answer(ref: number, json: string, error?: string): void {
    const waiting = this.#waiting.get(ref);
    if (!waiting) return;
    this.#waiting.delete(ref);
    this.#open[waiting.kind]--;
    this.#held[waiting.kind].shift()?.();
    if (error === undefined) waiting.resolve(json);
    else waiting.reject(new Error(error));
  }

  end(): void {
    this.#isOver = true;
    this.#restEnds();
    this.#resolveOver();
    for (const { reject } of this.#waiting.values()) reject(new Error("The call has ended"));
    this.#waiting.clear();
  }

  #restEnds(): void {
    if (this.#isResting) this.#resting.end();
    this.#isResting = false;
  }

  #ask(kind: Kind, json: string, name = ""): Promise<string> {
    if (this.#isOver) return Promise.reject(new Error("The call has ended"));
    const values = typeof json === "string" && json.length <= outputLimit ? countValues(json, valueLimit) : Infinity;
    if (values > valueLimit) return Promise.reject(new Error("The data is larger than the limit"));
    if (this.#waiting.size >= maxPending) return Promise.reject(new Error("Too many requests at the same time"));
    const ref = ++this.#refs;
    const frame = { t: "ask", id: this.#id, ref, json } as const;
    const cost = costs[kind] + json.length * costOfCharacter + values * costOfValue;
    return new Promise((resolve, reject) => {
      this.#waiting.set(ref, { kind, resolve, reject });
      const begin = () => {
        this.#open[kind]++;
        this.#turn = this.#turn.then(() =>
          this.#sendInTime(kind === "request" ? { ...frame, kind, name } : { ...frame, kind }, cost),
        );
      };
      if (this.#open[kind] < atOnce[kind]) begin();
      else this.#held[kind].push(begin);
    });
  }

  async #sendInTime(frame: Ask, cost: number): Promise<void> {
    const delay = this.#pace.take(cost, Date.now());
    if (delay > 0) await scheduler.wait(delay);
    if (this.#isOver) return;
    try {
      this.#send(frame);
    } catch (error) {
      this.answer(frame.ref, "null", (error as Error).message);
    }
  }
}
