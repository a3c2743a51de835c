import type { Context, Services } from "../context.ts";
import type { AppError } from "../errors.ts";
import { consoleLog } from "../lib/log.ts";
import { findRefused, type OpenItem } from "./recheck-rights.ts";

/** Milliseconds between two regular checks. */
const lookIntervalMs = 20_000;
/**
 * Milliseconds after a change of permissions during which new connections are checked again: their request may have
 * been accepted before the change.
 */
const echoMs = 60_000;

/** Why something may not stay open. */
export interface Refusal {
  code: AppError["code"];
  message: string;
}

/** An open connection, with the way to end it. */
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
  /** Called if the check failed: it has to be repeated later. */
  onFailed(): Promise<void>;
}

/**
 * Checks whether open connections may stay open, after changes of permissions, and regularly in case a change was
 * missed.
 */
export class RightsChecker {
  readonly #options: RightsCheckerOptions;
  /** Epoch milliseconds of the last word that rights have changed. */
  #changedAt = 0;
  /** Epoch milliseconds of the last look at everything. */
  #checkedAt = 0;
  #checking: Promise<void> | undefined;
  #isPlanned = false;
  /** Number of changes of rights: data read before the latest one is out of date. */
  #changes = 0;

  constructor(options: RightsCheckerOptions) {
    this.#options = options;
  }

  /** Call this when rights have changed. */
  noteChange(): void {
    this.#changes += 1;
    this.#changedAt = Date.now();
  }

  get hasJustChanged(): boolean {
    return Date.now() - this.#changedAt < echoMs;
  }

  /**
   * Checks everything if the last check is long ago, in case a change was missed. Visible tabs send a frame every 30 s, open
   * completions every minute.
   * @param options `isUse`: whether such a frame is why
   */
  checkIfDue(options: { isUse: boolean }): Promise<void> | undefined {
    if (Date.now() - this.#checkedAt >= lookIntervalMs)
      this.#options.waitUntil((this.#checking ??= this.checkAll(options).finally(() => (this.#checking = undefined))));
    // Those who come while it lasts wait too, so that events keep their order.
    return this.#checking;
  }

  /** The same for events that reach thousands of sessions at once: each checks at a random time, and nothing waits for it. */
  checkSoon(): void {
    if (this.#isPlanned || Date.now() - this.#checkedAt < lookIntervalMs) return;
    this.#isPlanned = true;
    const look = () => {
      this.#isPlanned = false;
      void this.checkIfDue({ isUse: false });
    };
    this.#options.waitUntil(new Promise((resolve) => setTimeout(resolve, Math.random() * lookIntervalMs)).then(look));
  }

  /** Checks everything now; callers at the same time share one check. */
  checkNow(): Promise<void> {
    return (this.#checking ??= this.checkAll().finally(() => (this.#checking = undefined)));
  }

  async checkAll(options?: { isUse: boolean }): Promise<void> {
    await this.check(this.#options.listOpen(), options);
    this.#checkedAt = Date.now();
  }

  /** Ends connections that may not stay open. If the check fails, they stay open and are checked later. */
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
