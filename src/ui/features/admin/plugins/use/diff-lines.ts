import { diffLines } from "diff";

export interface DiffPart {
  kind: "added" | "removed" | "same";
  /** Without the last line break. */
  text: string;
  /** Unchanged lines that are not shown; then `text` is empty. */
  hidden: number;
}

/** Unchanged lines that are shown around a change. */
const context = 3;
/** Two sources that share little take long to compare; ms. */
const timeoutMs = 3000;

/** The changes from one source to another, with some lines around each. Undefined where they differ too much. */
export function findChanges(before: string, after: string): DiffPart[] | undefined {
  const parts = diffLines(before, after, { timeout: timeoutMs });
  return parts?.flatMap(({ added, removed, value }, at) => {
    const text = value.replace(/\n$/, "");
    if (added || removed) return [{ kind: added ? "added" : "removed", text, hidden: 0 }] satisfies DiffPart[];
    const lines = text.split("\n");
    const head = at === 0 ? 0 : context;
    const tail = at === parts.length - 1 ? 0 : context;
    if (lines.length <= head + tail + 1) return [{ kind: "same", text, hidden: 0 }] satisfies DiffPart[];
    const shown = (from: number, to: number): DiffPart[] =>
      from < to ? [{ kind: "same", text: lines.slice(from, to).join("\n"), hidden: 0 }] : [];
    const gap: DiffPart = { kind: "same", text: "", hidden: lines.length - head - tail };
    return [...shown(0, head), gap, ...shown(lines.length - tail, lines.length)];
  });
}
