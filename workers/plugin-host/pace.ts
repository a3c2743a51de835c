/** So much may come at once; ms. */
const burstMs = 2000;

/** Rate limit of a plugin across all of its calls: it is slowed down to what the service can handle. */
export class Pace {
  /** When the last of what was let through would have been due, had one thing come after another; epoch ms. */
  #due = 0;

  /**
   * How long the next message has to wait, in ms.
   * @param cost reserved ms for others, if messages arrive continuously
   */
  take(cost: number, now: number): number {
    this.#due = Math.max(this.#due, now - burstMs) + cost;
    return Math.max(0, this.#due - now);
  }
}

const paces = new Map<string, Pace>();

export function paceOf(plugin: string): Pace {
  let pace = paces.get(plugin);
  if (!pace) paces.set(plugin, (pace = new Pace()));
  return pace;
}
