import type { HostTraffic, PluginBudget, PluginTraffic } from "../../src/plugins/plugin-host.ts";

const windowMs = 60_000;
/** Hosts that are named to the service at a time. */
const maxHosts = 100;
/** Pieces that a minute is counted in. */
const slots = 60;

/** A sum of the last minute, second by second. */
class MinuteSum {
  readonly #values = Array.from({ length: slots }, () => 0);
  #at = 0;

  add(value: number, now: number): void {
    this.#move(now);
    this.#values[this.#at % slots]! += value;
  }

  sum(now: number): number {
    this.#move(now);
    return this.#values.reduce((total, value) => total + value, 0);
  }

  #move(now: number): void {
    const at = Math.floor((now * slots) / windowMs);
    for (let step = Math.max(this.#at + 1, at - slots + 1); step <= at; step++) this.#values[step % slots] = 0;
    this.#at = Math.max(this.#at, at);
  }
}

/**
 * What one plugin does in this process: its calls and requests of the last minute against its budget, and what the service has
 * not been told yet. A process that ends takes that with it.
 */
export class TrafficMeter {
  budget: PluginBudget | null = null;
  readonly #calls = new MinuteSum();
  readonly #bytesOut = new MinuteSum();
  #hosts = new Map<string, HostTraffic>();
  #memory = 0;

  /** @returns which budget a further call would break; otherwise it is counted */
  beginCall(now: number): string | undefined {
    const limit = this.budget?.callsPerMinute ?? null;
    if (limit !== null && this.#calls.sum(now) >= limit)
      return `Its budget of ${limit} ${limit === 1 ? "call" : "calls"} a minute is used up`;
    this.#calls.add(1, now);
    return undefined;
  }

  /** @throws Error where so many more bytes would break the budget; otherwise they are counted */
  send(host: string, bytes: number, now: number): void {
    const limit = this.budget?.bytesOutPerMinute ?? null;
    if (limit !== null && this.#bytesOut.sum(now) + bytes > limit) {
      this.refuse(host);
      throw new Error(`This plugin's budget of ${limit} bytes out a minute is used up`);
    }
    this.#bytesOut.add(bytes, now);
    const traffic = this.#of(host, false);
    if (traffic) traffic.bytesOut += bytes;
  }

  request(host: string): void {
    const traffic = this.#of(host, false);
    if (traffic) traffic.requests++;
  }

  receive(host: string, bytes: number): void {
    const traffic = this.#of(host, false);
    if (traffic) traffic.bytesIn += bytes;
  }

  refuse(host: string): void {
    const traffic = this.#of(host, true);
    if (traffic) traffic.requests++;
  }

  noteMemory(bytes: number): void {
    this.#memory = Math.max(this.#memory, bytes);
  }

  /** What came since the last time; undefined for nothing. */
  take(): PluginTraffic | undefined {
    if (this.#hosts.size === 0 && this.#memory === 0) return undefined;
    const traffic = { hosts: [...this.#hosts.values()], memory: this.#memory };
    this.#hosts = new Map();
    this.#memory = 0;
    return traffic;
  }

  #of(host: string, isRefused: boolean): HostTraffic | undefined {
    const key = `${isRefused ? "-" : "+"}${host}`;
    let traffic = this.#hosts.get(key);
    if (!traffic && this.#hosts.size < maxHosts)
      this.#hosts.set(key, (traffic = { host, isRefused, requests: 0, bytesOut: 0, bytesIn: 0 }));
    return traffic;
  }
}

const meters = new Map<string, TrafficMeter>();

export function meterOf(plugin: string): TrafficMeter {
  let meter = meters.get(plugin);
  if (!meter) meters.set(plugin, (meter = new TrafficMeter()));
  return meter;
}
