import type { Attachments } from "./attachments.svelte.ts";

/** Holds a message back until its files are uploaded. Create it while a component is set up. */
export class UploadWait {
  /** Set while a message waits. */
  #stop = $state.raw<AbortController>();
  /** A message was not sent because a file could not be uploaded. */
  #isRefused = $state(false);
  readonly #store: () => Attachments;

  constructor(store: () => Attachments) {
    this.#store = store;
    $effect(() => {
      if (!store().failed) this.#isRefused = false;
    });
  }

  get isWaiting(): boolean {
    return this.#stop !== undefined;
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Resolves with true when everything is uploaded; with false when some of it was not, or the person stopped waiting. */
  async finish(): Promise<boolean> {
    const store = this.#store();
    if (store.uploading) {
      const stop = new AbortController();
      this.#stop = stop;
      await store.uploaded(stop.signal);
      this.#stop = undefined;
      if (stop.signal.aborted) return false;
    }
    this.#isRefused = store.failed;
    return !this.#isRefused;
  }

  stop(): void {
    this.#stop?.abort();
  }
}
