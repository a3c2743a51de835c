import { type ApiError, toApiError } from "../../../lib/api-error.ts";
import { forgetPull, listPulls, startPull, stopPull, type PullView } from "./local-models.ts";

/** Between looks at what is under way, in milliseconds. */
const lookEvery = 1000;

/** The downloads of all runtimes: looked at again and again while one is under way, for as long as somebody looks on. */
export class Pulls {
  list = $state.raw<PullView[]>();
  error = $state.raw<ApiError>();
  readonly #onDone: (pull: PullView) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: AbortController | undefined;

  /** @param onDone called for each that has come to its end meanwhile */
  constructor(onDone: (pull: PullView) => void) {
    this.#onDone = onDone;
  }

  get running(): number {
    return this.list?.filter(({ state }) => state === "running").length ?? 0;
  }

  /** Never rejects: the outcome is in `list` and `error`. */
  async look(): Promise<void> {
    clearTimeout(this.#timer);
    this.#looking?.abort();
    const looking = new AbortController();
    this.#looking = looking;
    try {
      const list = await listPulls(looking.signal);
      if (looking.signal.aborted) return;
      const before = this.list;
      this.list = list;
      this.error = undefined;
      for (const pull of list) {
        const was = before?.find(({ id }) => id === pull.id);
        if (was?.state === "running" && pull.state === "done") this.#onDone(pull);
      }
    } catch (cause) {
      if (looking.signal.aborted) return;
      this.error = toApiError(cause);
    }
    if (this.running > 0) this.#timer = setTimeout(() => void this.#again(), lookEvery);
  }

  async #again(): Promise<void> {
    // Nobody looks on: the next look is when somebody does.
    if (document.visibilityState === "visible") return this.look();
    this.#timer = setTimeout(() => void this.#again(), lookEvery);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#looking?.abort();
  }

  /** @throws ApiError */
  async start(connectionId: string, model: string): Promise<void> {
    await startPull(connectionId, model);
    await this.look();
  }

  /** @throws ApiError */
  async stop(pull: PullView): Promise<void> {
    await stopPull(pull.id);
    await this.look();
  }

  /** @throws ApiError */
  async forget(pull: PullView): Promise<void> {
    await forgetPull(pull.id);
    await this.look();
  }
}

/** For as long as the component lives. */
export function pulls(onDone: (pull: PullView) => void): Pulls {
  const result = new Pulls(onDone);
  $effect(() => {
    void result.look();
    return () => result.end();
  });
  return result;
}
