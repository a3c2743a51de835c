import process from "node:process";
import { afterEach, expect, test, vi } from "vitest";
import { printRuntimeLine } from "../../scripts/launch/runtime-log.ts";
import { beginLog } from "../../scripts/launch/say.ts";

afterEach(() => void vi.restoreAllMocks());

/** What is written, at the usual level of the log. */
function written(line: string): string[] {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  beginLog({ LOG_FORMAT: "json" });
  printRuntimeLine(line);
  vi.restoreAllMocks();
  return lines;
}

test("a caller who left during a look-up is no line of the log, and what else the runtime complains of is one", () => {
  const left =
    "A promise was resolved or rejected from a different request context than the one it was created in. However, the creating request has already been completed or canceled.";
  const source = { level: "warn", source: "runtime" };
  expect(written(JSON.stringify({ ...source, message: `Warning: ${left}\n    at Array.forEach` }))).toEqual([]);
  const hung = "The Workers runtime canceled this request because it detected that your Worker's code had hung";
  expect(written(JSON.stringify({ ...source, message: hung }))).toEqual([expect.stringContaining("had hung")]);
});
