import type { Progress } from "../../src/shared/moving-in/run-import.ts";

/** Milliseconds between two lines: in a terminal the same line is written again. */
const everyMs = { terminal: 200, file: 10_000 };

/** Says how far an import is, and how long what is being read will take. */
export class ProgressLines {
  readonly #out: NodeJS.WriteStream;
  #reader = "";
  #since = 0;
  #shownAt = 0;
  #isLineOpen = false;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  show({ reader, done, total }: Progress): void {
    const now = performance.now();
    if (reader !== this.#reader) {
      this.#reader = reader;
      this.#since = now;
      this.#shownAt = 0;
    }
    const isEnd = done === total;
    if (now - this.#shownAt < (this.#out.isTTY ? everyMs.terminal : everyMs.file) && !isEnd) return;
    this.#shownAt = now;
    const left = done === 0 || isEnd ? "" : `, ${remaining(((now - this.#since) * (total - done)) / done)} left`;
    this.#write(`${reader}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}${left}`);
  }

  wait(reason: string): void {
    this.#write(`${this.#reader}: waiting, because the service says: ${reason}`);
  }

  end(): void {
    if (this.#isLineOpen) this.#out.write("\n");
    this.#isLineOpen = false;
  }

  #write(line: string): void {
    this.#out.write(this.#out.isTTY ? `\r\u001B[K${line}` : `${line}\n`);
    this.#isLineOpen = this.#out.isTTY;
  }
}

function remaining(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  return minutes === 1 ? "about a minute" : `about ${minutes} minutes`;
}
