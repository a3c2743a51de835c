import { at } from "./base-path.ts";
/**
 * Whether the service can be reached. A failed call or the browser's own signal makes it false; from then on a small
 * request asks again until one is answered, and everything that waited goes on.
 */
class Online {
  value = $state(true);
  #wait = 1000;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: (() => void)[] = [];

  constructor() {
    addEventListener("offline", () => this.failed());
    addEventListener("online", () => void this.#ask());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && !this.value) void this.#ask();
    });
  }

  /** A call got an answer, whatever it said. */
  answered(): void {
    if (this.value) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wait = 1000;
    this.value = true;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** A call got no answer. */
  failed(): void {
    this.value = false;
    this.#timer ??= setTimeout(() => void this.#ask(), this.#wait);
  }

  /** Resolves at once while online, otherwise as soon as the service answers again. */
  back(): Promise<void> {
    return this.value ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      await fetch(at("/health"), { signal: AbortSignal.timeout(5000), cache: "no-store" });
      this.answered();
    } catch {
      this.#wait = Math.min(this.#wait * 1.6, 15_000);
      this.failed();
    }
  }
}

export const online = new Online();
