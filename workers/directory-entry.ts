import { consoleLog } from "../src/lib/log.ts";
import type { OpenDirectory } from "./open-directory.ts";

/** How long nothing has to be open until that is told, milliseconds: one completion after another is told once. */
const patience = 10_000;

/** One person's entry in the directory of those who have something open, kept in step by their coordinator. */
export class DirectoryEntry {
  readonly #directory: () => Pick<DurableObjectStub<OpenDirectory>, "add" | "remove">;
  readonly #isEmpty: () => boolean;
  #isListed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Calls go one after the other, so that the last one counts. */
  #calls: Promise<unknown> = Promise.resolve();

  /** @param isEmpty whether nothing is open now */
  constructor(directory: () => Pick<DurableObjectStub<OpenDirectory>, "add" | "remove">, isEmpty: () => boolean) {
    this.#directory = directory;
    this.#isEmpty = isEmpty;
  }

  /** Something of the person is open. @param onMissed called when a change of rights may not have reached it */
  opened(userId: string, onMissed: () => void): void {
    clearTimeout(this.#timer);
    if (this.#isListed) return;
    this.#isListed = true;
    this.#call(async () => {
      try {
        if (await this.#directory().add(userId)) onMissed();
      } catch (error) {
        this.#isListed = false;
        throw error;
      }
    });
  }

  /** Something of the person has closed. */
  closed(userId: string): void {
    if (!this.#isEmpty()) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.leave(userId), patience);
  }

  /** Takes the entry out if nothing is open. */
  leave(userId: string): void {
    if (!this.#isEmpty()) return;
    this.#isListed = false;
    this.#call(() => this.#directory().remove(userId));
  }

  #call(work: () => Promise<unknown>): void {
    this.#calls = this.#calls
      .then(work)
      .catch((error: unknown) => consoleLog.warn("the directory was not told what is open", { error }));
  }
}
