import { connect, type Socket } from "node:net";
import { readTold, renderHead } from "./forward.ts";
import type { FrontOptions } from "./front-options.ts";
import type { Address } from "./front.ts";
import { Refusal } from "./refusal.ts";
import { refuseHost } from "./refused-hosts.ts";
import type { RequestHead } from "./request-head.ts";
import { type Part, RequestReader } from "./request-reader.ts";

export interface Times {
  /** How long a head may take from its first byte. */
  headMs: number;
  /** How long nothing of an unfinished body may come. */
  bodyMs: number;
  /** How long a caller may take nothing of what waits. Without it, those who never read keep memory for ever. */
  stallMs: number;
  /** How long a request waits for a runtime that is just being restarted. */
  connectMs: number;
  /** How long a refused caller may take to read why. */
  lingerMs: number;
}

/** What the front decides for all callers together. */
interface Door {
  /** @returns why there is no room */
  enter(): Refusal | undefined;
  /** Whether there is room to ask for the health, where there is none for anything else. */
  enterForHealth(): boolean;
  /** @param target what the refused request asks for, if that is known */
  leave(why: Refusal, target: string | undefined): void;
}

const retryMs = 50;
/** What is kept while the runtime cannot take it. */
const maxHeldBytes = 65_536;
const accepted = Buffer.from("HTTP/1.1 101");

/** The connection of one caller, and from its first whole head on the one behind it to workerd. */
export class Caller {
  readonly #socket: Socket;
  readonly #peer: string;
  readonly #isProxy: boolean;
  readonly #runtime: Address;
  readonly #options: FrontOptions;
  readonly #times: Times;
  readonly #door: Door;
  readonly #reader = new RequestReader();
  #hasEntered = false;
  /** Nothing more is taken from the caller. */
  #isOver = false;

  #inner: Socket | undefined;
  #isConnected = false;
  /** For the inner connection, while it is being opened. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** No request comes after those sent: the inner connection ends when they are answered. */
  #isLast = false;
  /** What comes when the inner connection has ended, instead of the end. */
  #after: (() => void) | undefined;
  /** Behind a request for a WebSocket, until it is accepted: workerd must not read it as requests that nobody checked. */
  #afterUpgrade: Buffer[] | undefined;
  #answerStart = Buffer.alloc(0);

  #requests = 0;
  #isInBody = false;
  #isAnswered = false;
  /** The caller waits for 100 before the body: the next word is the service's. */
  #waitsForContinue = false;
  #isPaused = false;
  #timer: NodeJS.Timeout | undefined;
  /** The request whose head the timer is for; -1: a body. */
  #timed: number | undefined;

  constructor(socket: Socket, peer: string, runtime: Address, options: FrontOptions, times: Times, door: Door) {
    this.#socket = socket;
    this.#peer = peer;
    this.#isProxy = options.isTrustedProxy(peer);
    this.#runtime = runtime;
    this.#options = options;
    this.#times = times;
    this.#door = door;
    socket.on("data", (bytes) => this.#read(bytes));
    socket.on("end", () => this.#endInner());
    socket.on("close", () => this.#endInner());
  }

  enter(): void {
    this.#hasEntered = this.#door.enter() === undefined;
  }

  /** Behind the answers that are still to come; where it would be taken for another request's answer, not at all. */
  refuse(why: Refusal, target = this.#reader.target): void {
    this.#isOver = true;
    this.#watch();
    const inner = this.#inner;
    if (inner === undefined) return this.#door.leave(why, target);
    if (!this.#isInBody) return this.#finish(() => this.#door.leave(why, target));
    this.#inner = undefined;
    reset(inner);
    if (this.#requests === 1 && !this.#isAnswered) this.#door.leave(why, target);
    else this.#socket.resetAndDestroy();
  }

  #read(bytes: Buffer): void {
    if (this.#isOver) return;
    const parts = this.#reader.read(bytes);
    const inner = this.#inner;
    inner?.cork();
    for (const part of parts) {
      this.#take(part);
      if (this.#isOver) break;
    }
    inner?.uncork();
    this.#watch();
  }

  #take(part: Part): void {
    switch (part.kind) {
      case "head":
        try {
          this.#begin(part.head);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          this.refuse(error, part.head.target);
        }
        return;
      case "body":
        this.#waitsForContinue = false;
        return this.#send(part.bytes);
      case "end":
        this.#isInBody = false;
        if (this.#isLast) {
          this.#isOver = true;
          this.#finish();
        }
        return;
      case "raw":
        if (this.#afterUpgrade === undefined) return this.#send(part.bytes);
        this.#afterUpgrade.push(part.bytes);
        return this.#hold(part.bytes);
      case "refusal":
        return this.refuse(part.refusal);
    }
  }

  /** @throws Refusal */
  #begin(head: RequestHead): void {
    const told = readTold(head, this.#peer, this.#isProxy, this.#options.isTrustedProxy);
    const isHealth = asksForHealth(head);
    if (!isHealth && told.host !== undefined && !this.#options.isAllowedHost(told.host)) throw refuseHost(told.host);
    if (!this.#hasEntered) {
      const full = this.#door.enter();
      this.#hasEntered = full === undefined;
      if (full !== undefined && !(isHealth && this.#door.enterForHealth())) throw full;
      this.#isLast = full !== undefined;
    }
    this.#requests++;
    this.#isInBody = head.length !== 0;
    this.#waitsForContinue = head.fields.some(({ name }) => name === "expect");
    const bytes = renderHead(head, told);
    if (!head.upgrades) return this.#send(bytes);
    this.#afterUpgrade = [];
    // On a connection of its own, whose first answer is the one to this.
    if (this.#inner) this.#finish(() => this.#send(bytes));
    else this.#send(bytes);
  }

  #send(bytes: Buffer): void {
    const inner = this.#inner;
    if (inner === undefined || !this.#isConnected) {
      this.#held.push(bytes);
      this.#hold(bytes);
      if (inner === undefined) this.#open(performance.now() + this.#times.connectMs);
    } else if (!inner.write(bytes) && inner.listenerCount("drain") === 0) {
      this.#pause();
      inner.once("drain", () => this.#resume());
    }
  }

  #hold(bytes: Buffer): void {
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > maxHeldBytes) this.#pause();
  }

  #open(until: number): void {
    const inner = connect({ ...this.#runtime, noDelay: true });
    this.#inner = inner;
    const retry = () => {
      if (this.#inner !== inner || this.#socket.destroyed) return;
      if (performance.now() > until) this.#socket.resetAndDestroy();
      else
        setTimeout(() => (this.#inner === inner && !this.#socket.destroyed ? this.#open(until) : undefined), retryMs);
    };
    inner.once("error", retry);
    inner.once("connect", () => {
      inner.off("error", retry);
      this.#couple(inner);
    });
  }

  #couple(inner: Socket): void {
    const caller = this.#socket;
    let stalled: NodeJS.Timeout | undefined;
    caller.once("close", () => clearTimeout(stalled));
    inner.on("data", (bytes) => {
      this.#isAnswered = true;
      if (this.#waitsForContinue) {
        this.#waitsForContinue = false;
        this.#watch();
      }
      if (this.#afterUpgrade && !this.#after) this.#readUpgrade(bytes);
      if (caller.write(bytes)) return;
      inner.pause();
      stalled = setTimeout(() => caller.resetAndDestroy(), this.#times.stallMs);
      caller.once("drain", () => {
        clearTimeout(stalled);
        inner.resume();
      });
    });
    inner.on("end", () => {
      const after = this.#after;
      if (after === undefined) {
        this.#isOver = true;
        caller.end();
        return;
      }
      this.#after = undefined;
      this.#inner = undefined;
      this.#isConnected = false;
      this.#isLast = false;
      after();
    });
    inner.on("error", () => (this.#inner === inner ? caller.resetAndDestroy() : undefined));
    inner.on("close", () => (this.#inner === inner ? caller.destroySoon() : undefined));

    this.#isConnected = true;
    const held = this.#held;
    this.#held = [];
    inner.cork();
    for (const bytes of held) this.#send(bytes);
    inner.uncork();
    if (this.#isLast && !this.#isInBody) inner.end();
    if (this.#afterUpgrade === undefined && !inner.writableNeedDrain) this.#resume();
  }

  /** Only what accepts the WebSocket makes it one; behind every other answer the connection ends. */
  #readUpgrade(bytes: Buffer): void {
    this.#answerStart = Buffer.concat([this.#answerStart, bytes.subarray(0, accepted.length)]);
    if (this.#answerStart.length < accepted.length) return;
    const waiting = this.#afterUpgrade!;
    this.#afterUpgrade = undefined;
    this.#resume();
    if (this.#answerStart.subarray(0, accepted.length).equals(accepted)) for (const each of waiting) this.#send(each);
    else {
      this.#isOver = true;
      this.#finish();
    }
  }

  /** Ends our side of the inner connection: workerd answers what it has, and closes. A reset would stop it. */
  #finish(after?: () => void): void {
    this.#after = after;
    this.#isLast = true;
    if (this.#isConnected) this.#inner!.end();
  }

  #endInner(): void {
    this.#isOver = true;
    this.#watch();
    if (this.#inner) reset(this.#inner);
    else this.#socket.destroySoon();
  }

  #pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#heldBytes = 0;
    this.#socket.resume();
    this.#watch();
  }

  /** The clock runs only while the next bytes are the caller's to send. */
  #watch(): void {
    const place = this.#isOver || this.#isPaused ? "between" : this.#reader.place;
    const timed = place === "head" ? this.#requests : place === "body" && !this.#waitsForContinue ? -1 : undefined;
    if (timed !== undefined && timed === this.#timed) return timed === -1 ? void this.#timer?.refresh() : undefined;
    clearTimeout(this.#timer);
    this.#timed = timed;
    if (timed === undefined) return;
    const isHead = timed !== -1;
    const ms = isHead ? this.#times.headMs : this.#times.bodyMs;
    const what = isHead ? "The head of the request was not complete" : "Nothing more of the body came";
    this.#timer = setTimeout(() => this.refuse(new Refusal(408, `${what} after ${ms / 1000} seconds.`)), ms);
  }
}

function asksForHealth({ method, target, length, upgrades }: RequestHead): boolean {
  return (
    (method === "GET" || method === "HEAD") && length === 0 && !upgrades && /^\/(?:health|ready)(?:\?|$)/.test(target)
  );
}

function reset(socket: Socket): void {
  if (socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}
