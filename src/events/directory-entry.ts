/** What keeps the names of those who have something open. */
export interface EntryDirectory {
  /** @returns whether somebody asked for this person a moment ago: what was open by then has not heard why */
  add(userId: string): Promise<boolean>;
  remove(userId: string): Promise<void>;
}
import { consoleLog } from "../lib/log.ts";

/** How long nothing has to be open until that is told, milliseconds: one completion after another is told once. */
const idleMs = 10_000;
/** How long to wait until the directory is told again, milliseconds: twice as long each time, up to this. */
const [firstPauseMs, maxPauseMs] = [500, 30_000];

/** One person's entry in the directory of those who have something open, kept in step by their coordinator. */
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
   * Something of the person is open.
   * @param onMissed called when a change of rights may not have reached it
   * @returns resolves when the directory knows: nothing that is said to all is kept from the person from then on
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

  /** Something of the person has closed. */
  closed(userId: string): void {
    if (!this.#isEmpty()) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.leave(userId), idleMs);
  }

  /** Takes the entry out if nothing is open. */
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
