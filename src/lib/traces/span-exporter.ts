import type { Log } from "../log.ts";
import type { Owner } from "../metrics/series.ts";
import { spanCount } from "./metrics.ts";
import { toOtlp } from "./otlp-json.ts";
import type { Attributes, EndedSpan } from "./span.ts";

/** Where spans go, and as what. */
export interface ExportTarget {
  /** With the path. */
  url: string;
  headers: Readonly<Record<string, string>>;
  resource: Attributes;
  version: string;
}

/** What a request lends for the way to the collector. */
export interface ExportPorts {
  fetch: typeof fetch;
  log: Log;
  waitUntil(work: Promise<unknown>): void;
}

/** How long spans are collected before they are sent, milliseconds. */
const collectMs = 500;
/** If sending has not begun this long after it was due, another request sends: the one that was to do so has gone. */
const graceMs = 1000;
/** How long the collector has for a batch, milliseconds. */
const timeoutMs = 10_000;
const maxBatch = 512;
/** Spans that wait; some 1 KB each. */
const maxWaiting = 4096;

/** The spans of an isolate on their way to the collector. Never fails, and nobody waits for it. */
export class SpanExporter {
  readonly #target: ExportTarget;
  readonly #owner: Owner;
  #waiting: EndedSpan[] = [];
  /** Until when somebody takes care of what waits, epoch milliseconds. */
  #heldUntil = 0;
  /** How many are on their way. They stay so where the request that sends them is put away. */
  #sending = 0;
  #isFailing = false;

  constructor(target: ExportTarget, owner: Owner) {
    this.#target = target;
    this.#owner = owner;
  }

  add(span: EndedSpan, ports: ExportPorts): void {
    this.#waiting.push(span);
    const over = this.#waiting.length - maxWaiting;
    if (over > 0) this.#count("dropped", this.#waiting.splice(0, over).length);
    if (Date.now() < this.#heldUntil) return;
    this.#hold(collectMs);
    ports.waitUntil(this.#sendSoon(ports));
  }

  #hold(milliseconds: number): void {
    this.#heldUntil = Date.now() + milliseconds + graceMs;
  }

  async #sendSoon(ports: ExportPorts): Promise<void> {
    this.#count("dropped", this.#sending);
    this.#sending = 0;
    await new Promise((resolve) => setTimeout(resolve, collectMs));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxBatch);
      this.#sending = batch.length;
      this.#hold(timeoutMs);
      const failure = await this.#send(batch, ports.fetch);
      this.#sending = 0;
      this.#count(failure ? "dropped" : "sent", batch.length);
      this.#tell(failure, ports.log);
      if (failure) break;
    }
    this.#heldUntil = 0;
  }

  /** @returns what went wrong */
  async #send(batch: readonly EndedSpan[], send: typeof fetch): Promise<Record<string, unknown> | undefined> {
    const { url, headers, resource, version } = this.#target;
    try {
      const response = await send(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: toOtlp(resource, version, batch),
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      return response.ok ? undefined : { status: response.status };
    } catch (error) {
      return { error };
    }
  }

  /** Says once that it fails, and once that it works again. */
  #tell(failure: Record<string, unknown> | undefined, log: Log): void {
    if (failure && !this.#isFailing) log.warn("the collector does not take the traces", failure);
    if (!failure && this.#isFailing) log.info("the collector takes the traces again");
    this.#isFailing = failure !== undefined;
  }

  #count(outcome: "sent" | "dropped", spans: number): void {
    if (spans > 0) spanCount.add(this.#owner, [outcome], spans);
  }
}
