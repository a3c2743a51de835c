import type { Context, Services } from "../context.ts";
import type { AppError } from "../errors.ts";
import { consoleLog } from "../lib/log.ts";
import { findRefused, type OpenItem } from "./recheck-rights.ts";

/** Milliseconds between two looks that nobody asked for. */
const checkEveryMs = 20_000;
/**
 * Milliseconds after a change of rights in which whatever comes here is looked at once more: its request may have been let
 * in before the change.
 */
const recentMs = 60_000;

/** Why something may not stay open. */
export interface Refusal {
  code: AppError["code"];
  message: string;
}

/** Something that is open, with the way to end it. */
export interface EndableItem extends OpenItem {
  end(why: Refusal): void | Promise<void>;
}

export interface RightsCheckerOptions {
  services(): Services;
  /** Everything that is open. */
  listOpen(): EndableItem[];
  waitUntil(work: Promise<unknown>): void;
  /** Called with who the person is now, at each look. */
  onFound(ctx: Context): void;
  /** Rights could not be looked at: it has to be tried again later. */
  onFailed(): Promise<void>;
}

/** Looks at whether what is open may stay so, after changes, and now and then in case that word of one was lost. */
export class RightsChecker {
  readonly #options: RightsCheckerOptions;
  /** Epoch milliseconds of the last word that rights have changed. */
  #changedAt = 0;
  /** Epoch milliseconds of the last look at everything. */
  #checkedAt = 0;
  #checking: Promise<void> | undefined;
  #isPlanned = false;
  /** How often rights have changed: what was read before the last time is not what is. */
  #changes = 0;

  constructor(options: RightsCheckerOptions) {
    this.#options = options;
  }

  /** Word has come that rights are others now. */
  noteChange(): void {
    this.#changes += 1;
    this.#changedAt = Date.now();
  }

  get hasJustChanged(): boolean {
    return Date.now() - this.#changedAt < recentMs;
  }

  /**
   * In case that word of a change was lost, or was kept from those who seemed to be gone: tabs that are looked at send a frame
   * every 30 s, followers every minute.
   * @param options `isUse`: whether such a frame is why
   */
  checkIfDue(options: { isUse: boolean }): Promise<void> | undefined {
    if (Date.now() - this.#checkedAt >= checkEveryMs)
      this.#options.waitUntil((this.#checking ??= this.checkAll(options).finally(() => (this.#checking = undefined))));
    // Those who come while it lasts wait too, so that events keep their order.
    return this.#checking;
  }

  /** The same, for what comes to thousands at once: each looks at a moment of its own, and nobody waits for that. */
  checkSoon(): void {
    if (this.#isPlanned || Date.now() - this.#checkedAt < checkEveryMs) return;
    this.#isPlanned = true;
    const look = () => {
      this.#isPlanned = false;
      void this.checkIfDue({ isUse: false });
    };
    this.#options.waitUntil(new Promise((resolve) => setTimeout(resolve, Math.random() * checkEveryMs)).then(look));
  }

  /** What could not be decided before is looked at now, once for all who wait for it. */
  checkNow(): Promise<void> {
    return (this.#checking ??= this.checkAll().finally(() => (this.#checking = undefined)));
  }

  async checkAll(options?: { isUse: boolean }): Promise<void> {
    await this.check(this.#options.listOpen(), options);
    this.#checkedAt = Date.now();
  }

  /** Ends what may not stay open. Where that cannot be said now, it stays, and is looked at later. */
  async check(open: readonly EndableItem[], options?: { isUse: boolean }): Promise<void> {
    if (open.length === 0) return;
    const changes = this.#changes;
    const found = (ctx: Context) => changes === this.#changes && this.#options.onFound(ctx);
    try {
      const refused = await findRefused(this.#options.services(), open, { ...options, found });
      await Promise.all([...refused].map(([each, why]) => each.end(why)));
    } catch (error) {
      consoleLog.warn("could not recheck open connections yet", { user_id: open[0]!.credential.userId, error });
      await this.#options.onFailed();
    }
  }
}
