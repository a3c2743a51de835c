import type { IsolateBridge } from "../../isolate.ts";
import { Channel } from "./channel.ts";
import { Exchange } from "./exchange.ts";

/** At least this often a waiting call looks whether there is something to do; ms. Also keeps the runtime from calling it stuck. */
const maxWaitMs = 1000;

/** One after so many turns without a pause, what comes in from outside is let in. */
const maxTurnsWithoutPause = 50;

/**
 * The port of one call for Python: its requests, and when its queue runs. All of it lives in the request of the call:
 * promises created here are resolved here, regardless of what wakes them.
 */
export class CallPort {
  readonly #bridge: IsolateBridge | undefined;
  readonly #logs = new Set<Promise<unknown>>();
  readonly #exchanges = new Set<Exchange>();
  readonly #channels = new Set<Channel>();
  readonly #result = Promise.withResolvers<string>();
  #isOver = false;
  /** Whether something was asked for while the source was only inspected. */
  wasRefused = false;
  #isSignalled = false;
  #delay = -1;
  #wake: () => void = () => undefined;
  #settle: () => void = () => undefined;

  /** @param bridge undefined while a source is described: then nothing can be asked for */
  constructor(bridge: IsolateBridge | undefined) {
    this.#bridge = bridge;
  }

  emit(event: string): Promise<void> {
    return this.#ask((bridge) => bridge.emit(event));
  }

  call(event: string): Promise<string> {
    return this.#ask((bridge) => bridge.call(event));
  }

  request(name: string, args: string): Promise<string> {
    return this.#ask((bridge) => bridge.request(name, args));
  }

  chunk(value: string): Promise<void> {
    return this.#ask((bridge) => bridge.chunk(value));
  }

  /** The function has answered. @returns how many ms what it left running may go on */
  rest(result: string): Promise<string> {
    return this.#ask(async (bridge) => (await bridge.rest?.(result)) ?? "0");
  }

  log(level: "debug" | "info" | "warning" | "error", text: string): void {
    if (this.#isOver || !this.#bridge) return;
    const sent = Promise.resolve(this.#bridge.log(level, text)).catch(() => undefined);
    this.#logs.add(sent);
    void sent.finally(() => this.#logs.delete(sent));
  }

  /** Begins a request over the plugin's network. */
  open(method: string, address: string, headers: string, body: Uint8Array | undefined, follows: boolean): Exchange {
    if (!this.#bridge) this.wasRefused = true;
    if (this.#isOver || !this.#bridge) throw new Error("The network is not available now");
    const exchange = new Exchange(method, address, headers, body, follows);
    this.#exchanges.add(exchange);
    return exchange;
  }

  /** Begins a WebSocket over the plugin's network. */
  connect(address: string, headers: string): Channel {
    if (!this.#bridge) this.wasRefused = true;
    if (this.#isOver || !this.#bridge) throw new Error("The network is not available now");
    const channel = new Channel(address, headers);
    this.#channels.add(channel);
    return channel;
  }

  /** Something that synchronous code waits for. */
  gate(): { promise: Promise<void>; open(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { promise, open: () => resolve() };
  }

  /** There is something to do. Comes from other calls too. */
  signal(): void {
    this.#isSignalled = true;
    this.#wake();
  }

  /** What was ready is done, or waits; -1: nothing is due, otherwise in how many ms. */
  yielded(delay: number): void {
    this.#delay = delay;
    this.#settle();
  }

  finish(result: string): void {
    this.#result.resolve(result);
    this.#end();
  }

  fail(error: unknown): void {
    this.#result.reject(error);
    this.#end();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Empties the queue as often as there is something in it. @param drain begins to; it has let go when `yielded` was called */
  async pump(drain: () => void): Promise<string> {
    this.#isSignalled = true;
    for (let turn = 1; !this.#isOver; turn++) {
      await this.#waitForWork();
      if (turn % maxTurnsWithoutPause === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      if (this.#isOver) break;
      const settled = new Promise<void>((resolve) => (this.#settle = resolve));
      drain();
      await settled;
    }
    await Promise.all(this.#logs);
    return this.#result.promise;
  }

  async #waitForWork(): Promise<void> {
    if (!this.#isSignalled && this.#delay !== 0) {
      const wait = this.#delay < 0 ? maxWaitMs : Math.min(this.#delay, maxWaitMs);
      let timer;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, wait);
      });
      clearTimeout(timer);
    }
    this.#isSignalled = false;
    this.#delay = -1;
  }

  #end(): void {
    this.#isOver = true;
    for (const exchange of this.#exchanges) exchange.close();
    for (const channel of this.#channels) channel.close(1001, "");
    this.#settle();
    this.#wake();
  }

  /** A promise of its own: what the platform returns can be called and looked into like an object. */
  async #ask<T>(ask: (bridge: IsolateBridge) => Promise<T>): Promise<T> {
    if (this.#isOver) throw new Error("The call has ended");
    if (!this.#bridge) {
      this.wasRefused = true;
      throw new Error("Requests are not possible while the source is only inspected");
    }
    return await ask(this.#bridge);
  }
}
