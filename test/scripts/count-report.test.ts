import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { countReport } from "../../scripts/test/count-report.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-report-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(...files: [status: string, ...tests: string[]][]): string {
  const file = path.join(folder, "report.json");
  const testResults = files.map(([status, ...tests], at) => ({
    name: `/test/${at}.test.ts`,
    status,
    assertionResults: tests.map((state) => ({ status: state })),
  }));
  writeFileSync(file, JSON.stringify({ testResults }));
  return file;
}

describe("the counts of a test run", () => {
  test("add up over files", () => {
    const file = write(["passed", "passed", "passed"], ["failed", "failed", "passed"], ["passed", "pending", "todo"]);
    expect(countReport(file, 1)).toEqual({ passed: 3, failed: 1, skipped: 2 });
  });

  test("take a file that could not be loaded as one failure", () => {
    expect(countReport(write(["passed", "passed"], ["failed"]), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  test("take a bad end without a failed test as one failure", () => {
    expect(countReport(write(["passed", "passed"]), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(countReport(write(["passed", "passed"]), null)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  test("leave out files that ran again, whose failures explain the bad end", () => {
    const file = write(["passed", "passed"], ["failed", "failed", "passed"]);
    expect(countReport(file, 1, ["/test/1.test.ts"])).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(countReport(file, 1, ["/test/9.test.ts"])).toEqual({ passed: 2, failed: 1, skipped: 0 });
  });

  test("take a runner that left no report as one failure", () => {
    expect(countReport(path.join(folder, "none.json"), null)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
