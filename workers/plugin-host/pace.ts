/** So much may come at once; ms. */
const burstMs = 2000;

/** How fast a plugin may go, all of its calls together: it is slowed down to what the service has time for. */
export class Pace {
  /** When the last of what was let through would have been due, had one thing come after another; epoch ms. */
  #due = 0;

  /**
   * How long the next thing has to wait, in ms. Whoever sends it waits for that, so this is all that it takes.
   * @param cost ms that are kept free for others before what follows, where things come without end
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
