import type { Described, Family, Sample } from "./family.ts";

/**
 * Whose numbers they are: the environment. There is one for each isolate, and one for each of several services in one
 * process.
 */
export type Owner = object;

interface Entry<T> {
  labels: readonly string[];
  value: T;
}

/** Metrics whose number of series is bounded: what comes beyond it counts under `other`. */
abstract class Series<T> {
  readonly described: Described;
  readonly #maxSeries: number;
  readonly #byOwner = new WeakMap<Owner, Map<string, Entry<T>>>();

  constructor({ maxSeries = 1000, ...described }: Described & { maxSeries?: number }) {
    this.described = described;
    this.#maxSeries = maxSeries;
  }

  protected abstract create(): T;

  protected entry(owner: Owner, labels: readonly string[]): Entry<T> {
    let entries = this.#byOwner.get(owner);
    if (!entries) this.#byOwner.set(owner, (entries = new Map()));
    const key = labels.length === 1 ? labels[0]! : labels.join("\0");
    const known = entries.get(key);
    if (known) return known;
    if (entries.size >= this.#maxSeries && labels.some((label) => label !== "other"))
      return this.entry(
        owner,
        labels.map(() => "other"),
      );
    const fresh = { labels, value: this.create() };
    entries.set(key, fresh);
    return fresh;
  }

  protected *entries(owner: Owner): Generator<{ labels: Sample["labels"]; value: T }> {
    const { labels: names = [] } = this.described;
    for (const { labels, value } of this.#byOwner.get(owner)?.values() ?? [])
      yield { labels: names.map((name, at) => [name, labels[at] ?? ""]), value };
  }

  protected family(type: Family["type"], samples: Sample[]): Family {
    const { labels: _, ...described } = this.described;
    return { ...described, type, samples };
  }
}

export class Counter extends Series<{ sum: number }> {
  protected override create() {
    return { sum: 0 };
  }

  add(owner: Owner, labels: readonly string[], amount = 1): void {
    this.entry(owner, labels).value.sum += amount;
  }

  collect(owner: Owner): Family {
    const samples = [...this.entries(owner)].map(({ labels, value }): Sample => ({
      suffix: "_total",
      labels,
      value: value.sum,
    }));
    return this.family("counter", samples);
  }
}

interface Distribution {
  /** How many were at most as large as each bound, and no smaller bound fits; at the end those beyond. */
  counts: Float64Array;
  sum: number;
}

export class Histogram extends Series<Distribution> {
  readonly #bounds: readonly number[];

  /** @param bounds upper bounds of the buckets, ascending */
  constructor(described: Described & { bounds: readonly number[]; maxSeries?: number }) {
    const { bounds, ...rest } = described;
    super(rest);
    this.#bounds = bounds;
  }

  protected override create(): Distribution {
    return { counts: new Float64Array(this.#bounds.length + 1), sum: 0 };
  }

  observe(owner: Owner, labels: readonly string[], value: number): void {
    const { value: known } = this.entry(owner, labels);
    let at = 0;
    while (at < this.#bounds.length && value > this.#bounds[at]!) at++;
    known.counts[at]! += 1;
    known.sum += value;
  }

  collect(owner: Owner): Family {
    const samples: Sample[] = [];
    for (const { labels, value } of this.entries(owner)) {
      let count = 0;
      value.counts.forEach((added, at) => {
        count += added;
        const bound = this.#bounds[at] ?? Infinity;
        samples.push({ suffix: "_bucket", labels: [...labels, ["le", formatBound(bound)]], value: count });
      });
      samples.push({ suffix: "_sum", labels, value: value.sum }, { suffix: "_count", labels, value: count });
    }
    return this.family("histogram", samples);
  }
}

/** As OpenMetrics writes them: whole numbers with `.0`. */
function formatBound(bound: number): string {
  if (bound === Infinity) return "+Inf";
  return Number.isInteger(bound) ? `${bound}.0` : String(bound);
}
