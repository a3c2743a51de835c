import type { Context, Services } from "../src/context.ts";
import { lookAgain, type Open } from "../src/events/look-again.ts";
import { consoleLog } from "../src/lib/log.ts";
import type { Refusal } from "./follower-set.ts";

/** Milliseconds between two looks that nobody asked for. */
const lookEvery = 20_000;
/**
 * Milliseconds after a change of rights in which whatever comes here is looked at once more: its request may have been let
 * in before the change.
 */
const echo = 60_000;

/** Something that is open, with the way to end it. */
export interface Watched extends Open {
  end(why: Refusal): void | Promise<void>;
}

export interface RightsWatchOptions {
  services(): Services;
  /** Everything that is open. */
  all(): Watched[];
  waitUntil(work: Promise<unknown>): void;
  /** Called with who the person is now, at each look. */
  found(ctx: Context): void;
  /** Rights could not be looked at: it has to be tried again later. */
  postponed(): Promise<void>;
}

/** Looks at whether what is open may stay so, after changes, and now and then in case that word of one was lost. */
export class RightsWatch {
  readonly #options: RightsWatchOptions;
  /** Epoch milliseconds of the last word that rights have changed. */
  #changedAt = 0;
  /** Epoch milliseconds of the last look at everything. */
  #lookedAt = 0;
  #looking: Promise<void> | undefined;
  #isPlanned = false;
  /** How often rights have changed: what was read before the last time is not what is. */
  #changes = 0;

  constructor(options: RightsWatchOptions) {
    this.#options = options;
  }

  /** Word has come that rights are others now. */
  changed(): void {
    this.#changes += 1;
    this.#changedAt = Date.now();
  }

  get hasJustChanged(): boolean {
    return Date.now() - this.#changedAt < echo;
  }

  /**
   * In case that word of a change was lost, or was kept from those who seemed to be gone: tabs that are looked at send a frame
   * every 30 s, followers every minute.
   * @param options `isUse`: whether such a frame is why
   */
  nowAndThen(options: { isUse: boolean }): Promise<void> | undefined {
    if (Date.now() - this.#lookedAt >= lookEvery)
      this.#options.waitUntil((this.#looking ??= this.atAll(options).finally(() => (this.#looking = undefined))));
    // Those who come while it lasts wait too, so that events keep their order.
    return this.#looking;
  }

  /** The same, for what comes to thousands at once: each looks at a moment of its own, and nobody waits for that. */
  sometime(): void {
    if (this.#isPlanned || Date.now() - this.#lookedAt < lookEvery) return;
    this.#isPlanned = true;
    const look = () => {
      this.#isPlanned = false;
      void this.nowAndThen({ isUse: false });
    };
    this.#options.waitUntil(new Promise((resolve) => setTimeout(resolve, Math.random() * lookEvery)).then(look));
  }

  /** What could not be decided before is looked at now, once for all who wait for it. */
  now(): Promise<void> {
    return (this.#looking ??= this.atAll().finally(() => (this.#looking = undefined)));
  }

  async atAll(options?: { isUse: boolean }): Promise<void> {
    await this.at(this.#options.all(), options);
    this.#lookedAt = Date.now();
  }

  /** Ends what may not stay open. Where that cannot be said now, it stays, and is looked at later. */
  async at(open: readonly Watched[], options?: { isUse: boolean }): Promise<void> {
    if (open.length === 0) return;
    const changes = this.#changes;
    const found = (ctx: Context) => changes === this.#changes && this.#options.found(ctx);
    try {
      const refused = await lookAgain(this.#options.services(), open, { ...options, found });
      await Promise.all([...refused].map(([each, why]) => each.end(why)));
    } catch (error) {
      consoleLog.warn("could not recheck open connections yet", { user_id: open[0]!.credential.userId, error });
      await this.#options.postponed();
    }
  }
}
