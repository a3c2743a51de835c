/** Stores which people have open connections. */
export interface EntryDirectory {
  /** @returns whether the directory was just asked about this person: their connections may have missed a change of rights */
  add(userId: string): Promise<boolean>;
  remove(userId: string): Promise<void>;
}
import { consoleLog } from "../lib/log.ts";

/** Milliseconds without open connections before the entry is removed, so that a series of completions is one entry. */
const idleMs = 10_000;
/** Milliseconds before the directory is called again: doubled each time, up to the maximum. */
const [firstPauseMs, maxPauseMs] = [500, 30_000];

/** One person's entry in the directory of people with open connections, kept up to date by their coordinator. */
export class DirectoryEntry {
  readonly #directory: () => EntryDirectory;
  readonly #isEmpty: () => boolean;
  #isWanted = false;
  #listed: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Calls go one after the other, so that the last one counts. */
  #calls: Promise<void> = Promise.resolve();

  /** @param isEmpty whether nothing is open now */
  constructor(directory: () => EntryDirectory, isEmpty: () => boolean) {
    this.#directory = directory;
    this.#isEmpty = isEmpty;
  }

  /**
   * A connection was opened.
   * @param onMissed called if a change of permissions may not have reached it
   * @returns resolves when the directory knows: from then on no broadcast misses the person
   */
  opened(userId: string, onMissed: () => void): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#isWanted) {
      this.#isWanted = true;
      this.#listed = this.#call(() => this.#add(userId, onMissed));
    }
    return this.#listed;
  }

  async #add(userId: string, onMissed: () => void): Promise<void> {
    for (let wait = firstPauseMs; this.#isWanted; wait = Math.min(2 * wait, maxPauseMs)) {
      try {
        if (await this.#directory().add(userId)) onMissed();
        return;
      } catch (error) {
        consoleLog.warn("could not report open connections to the directory", { error });
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /** A connection was closed. */
  closed(userId: string): void {
    if (!this.#isEmpty()) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.leave(userId), idleMs);
  }

  /** Removes the entry if nothing is open. */
  leave(userId: string): void {
    if (!this.#isEmpty()) return;
    this.#isWanted = false;
    void this.#call(() => this.#directory().remove(userId));
  }

  #call(work: () => Promise<unknown>): Promise<void> {
    this.#calls = this.#calls.then(work).then(
      () => undefined,
      (error: unknown) => consoleLog.warn("could not report closed connections to the directory", { error }),
    );
    return this.#calls;
  }
}
