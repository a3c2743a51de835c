import { addressHolder } from "./addresses.ts";
import { Refusal } from "./refusal.ts";

export interface ConnectionLimits {
  maxConnections: number;
  maxConnectionsPerAddress: number;
}

/** How many connections there are, as a whole and of each caller. */
export class ConnectionCount {
  readonly #limits: ConnectionLimits;
  readonly #byHolder = new Map<string, number>();
  #all = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get all(): number {
    return this.#all;
  }

  /** @param address undefined: of many callers, and counts as a whole only */
  refusal(address: string | undefined): Refusal | undefined {
    if (this.#all >= this.#limits.maxConnections) return new Refusal(503, "The service has no connection left.");
    if (address === undefined) return undefined;
    const own = this.#byHolder.get(addressHolder(address)) ?? 0;
    if (own < this.#limits.maxConnectionsPerAddress) return undefined;
    return new Refusal(429, "There are too many connections from this address.");
  }

  /** @returns to be called once, when the connection has ended */
  take(address: string | undefined): () => void {
    const holder = address === undefined ? undefined : addressHolder(address);
    this.#add(holder, 1);
    return () => this.#add(holder, -1);
  }

  #add(holder: string | undefined, by: number): void {
    this.#all += by;
    if (holder === undefined) return;
    const own = (this.#byHolder.get(holder) ?? 0) + by;
    if (own === 0) this.#byHolder.delete(holder);
    else this.#byHolder.set(holder, own);
  }
}
