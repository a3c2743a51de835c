import { toApiError } from "../../../lib/api-error.ts";
import { type CodeEnd, type CodeFailure, maxShown, type OutputPiece } from "./code-output.ts";
import { texts } from "./texts.ts";

export type CodeLanguage = "python" | "javascript";

/** The last run of one block of code. */
export class CodeRun {
  isRunning = $state(false);
  /** Pieces of one stream that follow each other are one. */
  output = $state.raw<readonly OutputPiece[]>([]);
  isCut = $state(false);
  end = $state.raw<CodeEnd>();
  /** It was stopped, or could not be run. */
  isStopped = $state(false);
  problem = $state<string>();
  /** Seconds. */
  duration = $state(0);
  #abort: AbortController | undefined;
  #length = 0;

  get hasRun(): boolean {
    return this.isRunning || this.end !== undefined || this.isStopped || this.problem !== undefined;
  }

  get failure(): CodeFailure | undefined {
    return this.end?.failure;
  }

  async start(language: CodeLanguage, code: string, fileIds: readonly string[]): Promise<void> {
    this.stop();
    const abort = (this.#abort = new AbortController());
    this.isRunning = true;
    this.output = [];
    this.isCut = this.isStopped = false;
    this.end = this.problem = undefined;
    this.#length = 0;
    const started = performance.now();
    const isCurrent = (): boolean => this.#abort === abort;
    try {
      const run =
        language === "python"
          ? (await import("./run-python.ts")).runPython
          : (await import("./run-javascript.ts")).runJavaScript;
      const onOutput = (piece: OutputPiece): void => {
        if (isCurrent()) this.#add(piece);
      };
      const end = await run(code, { signal: abort.signal, onOutput, fileIds });
      if (isCurrent()) this.end = end;
    } catch (cause) {
      if (!isCurrent()) return;
      if (abort.signal.aborted) this.isStopped = true;
      else this.problem = `${texts.unreachable}. ${toApiError(cause).message}`;
    } finally {
      if (isCurrent()) {
        this.duration = (performance.now() - started) / 1000;
        this.isRunning = false;
      }
    }
  }

  stop(): void {
    this.#abort?.abort();
  }

  #add({ stream, text }: OutputPiece): void {
    const room = maxShown - this.#length;
    if (text.length > room) this.isCut = true;
    const kept = text.slice(0, Math.max(0, room));
    if (kept === "") return;
    this.#length += kept.length;
    const last = this.output.at(-1);
    this.output =
      last?.stream === stream
        ? [...this.output.slice(0, -1), { stream, text: last.text + kept }]
        : [...this.output, { stream, text: kept }];
  }
}

/** Runs of this tab by what was run: an answer that is drawn again shows them again. */
const runs = new Map<string, CodeRun>();
const maxRuns = 100;

export function runOf(key: string): CodeRun {
  let run = runs.get(key);
  if (!run) {
    for (const [old, { isRunning }] of runs) {
      if (runs.size < maxRuns) break;
      if (!isRunning) runs.delete(old);
    }
    runs.set(key, (run = new CodeRun()));
  }
  return run;
}
