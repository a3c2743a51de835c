import { type ApiError, toApiError } from "../../../../lib/api-error.ts";
import { type DownloadView, getDownload, planDownload, startDownload, stopDownload } from "./downloads-api.ts";

/** Between looks at what is under way, in milliseconds. */
const lookEvery = 1000;

/** One download, from the question for names to its end. */
export class PackageDownload {
  /** Undefined before anything was planned. */
  view = $state.raw<DownloadView>();
  busy = $state<"planning" | "starting" | "stopping">();
  error = $state.raw<ApiError>();
  /** What did not work. */
  failed = $state<"plan" | "start" | "stop">("plan");
  readonly #onDone: (view: DownloadView) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;

  /** @param onDone called when all packages are there */
  constructor(onDone: (view: DownloadView) => void) {
    this.#onDone = onDone;
  }

  plan(packages: string[]): Promise<void> {
    return this.#attempt("planning", "plan", () => planDownload(packages));
  }

  start(): Promise<void> {
    return this.#attempt("starting", "start", () => startDownload(this.view!.id));
  }

  stop(): Promise<void> {
    return this.#attempt("stopping", "stop", () => stopDownload(this.view!.id));
  }

  /** Begins from the question again. */
  back(): void {
    this.view = undefined;
    this.error = undefined;
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  async #attempt(
    busy: NonNullable<PackageDownload["busy"]>,
    failed: PackageDownload["failed"],
    work: () => Promise<DownloadView>,
  ): Promise<void> {
    if (this.busy) return;
    this.busy = busy;
    this.error = undefined;
    try {
      this.#take(await work());
    } catch (cause) {
      this.error = toApiError(cause);
      this.failed = failed;
    }
    this.busy = undefined;
  }

  #take(view: DownloadView): void {
    if (this.#isEnded) return;
    const was = this.view?.state;
    this.view = view;
    clearTimeout(this.#timer);
    if (view.state === "running") this.#timer = setTimeout(() => void this.#look(), lookEvery);
    else if (view.state === "done" && was === "running") this.#onDone(view);
  }

  async #look(): Promise<void> {
    const { view } = this;
    if (!view || view.state !== "running") return;
    try {
      this.#take(await getDownload(view.id));
    } catch {
      // The next look may succeed; the download does not depend on it.
      if (!this.#isEnded) this.#timer = setTimeout(() => void this.#look(), lookEvery * 3);
    }
  }
}
