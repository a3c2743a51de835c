import { once } from "node:events";
import { createReadStream, createWriteStream, rmSync, type WriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { RecordResult } from "../../src/shared/moving-in/import-target.ts";
import { type Tally, type TallyRow, talliedStates } from "../../src/shared/moving-in/tally.ts";

const headings = {
  created: "imported",
  changed: "imported with changes",
  matched: "existed",
  left_out: "left out",
  failed: "failed",
  earlier: "imported earlier",
} as const;

/** The report of an import, as a Markdown file: a table of all kinds, and a line for each record that is not here as it was. */
export class Report {
  readonly file: string;
  readonly #part: string;
  readonly #lines: WriteStream;

  constructor(file: string) {
    this.file = file;
    this.#part = `${file}.part`;
    this.#lines = createWriteStream(this.#part, { mode: 0o600 });
  }

  add({ kind, id, state, earlier, notes }: RecordResult): void {
    if (earlier || notes.length === 0) return;
    this.#lines.write(
      `| ${kind} | ${cell(id)} | ${state === "begun" ? "begun" : headings[state]} | ${cell(notes.join(". "))} |\n`,
    );
  }

  async write(title: string, tally: Tally): Promise<void> {
    this.#lines.end();
    await once(this.#lines, "finish");
    const out = createWriteStream(this.file, { mode: 0o600 });
    out.write(
      `# ${title}\n\n${summaryTable(tally)}\n## What is different\n\n| what | id | outcome | reason |\n|---|---|---|---|\n`,
    );
    await pipeline(createReadStream(this.#part), out);
    rmSync(this.#part, { force: true });
  }
}

/** A table in Markdown, which also reads well in a terminal. */
export function summaryTable(tally: Tally): string {
  const columns = ([...talliedStates, "earlier"] as const).filter((state) => tally.sum(state) > 0);
  const lines = [
    ["", ...columns.map((state) => headings[state])],
    ...tally
      .rows()
      .map((row: TallyRow) => [
        row.kind.replaceAll("_", " "),
        ...columns.map((state) => row[state].toLocaleString("en")),
      ]),
  ];
  const widths = lines[0]!.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  const write = (line: readonly string[]) =>
    `| ${line.map((text, index) => (index === 0 ? text.padEnd(widths[index]!) : text.padStart(widths[index]!))).join(" | ")} |\n`;
  const rule = `|${widths.map((width, index) => (index === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|\n`;
  return write(lines[0]!) + rule + lines.slice(1).map(write).join("");
}

/** Text of the source, in one cell. */
function cell(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").replaceAll(/[|\\`<>]/g, String.raw`\$&`);
}
