import process from "node:process";
import { afterEach, expect, test, vi } from "vitest";
import { printRuntimeLine } from "../../scripts/launch/runtime-log.ts";
import { beginLog } from "../../scripts/launch/say.ts";

afterEach(() => void vi.restoreAllMocks());

/** What is written for these lines of workerd, at the usual level of the log. */
function written(...lines: string[]): string[] {
  const found: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => found.push(String(text)) > 0);
  beginLog({ LOG_FORMAT: "json" });
  for (const line of lines) printRuntimeLine(line);
  vi.restoreAllMocks();
  return found;
}

test("a caller who left during a look-up is no line of the log, and what else the runtime complains of is one", () => {
  const left =
    "Warning: A promise was resolved or rejected from a different request context than the one it was created in. However, the creating request has already been completed or canceled.";
  const place = "    at Array.forEach (<anonymous>)";
  const hung = "The Workers runtime canceled this request because it detected that your Worker's code had hung";
  expect(written(left, place, place)).toEqual([]);
  expect(written(left, place, hung, place)).toEqual([
    expect.stringContaining("had hung"),
    expect.stringContaining("at Array.forEach"),
  ]);
});
