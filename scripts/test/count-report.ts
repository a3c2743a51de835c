import { existsSync, readFileSync } from "node:fs";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The part of vitest's JSON report (Jest's shape) that counts. */
interface Report {
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

/**
 * Counts the tests of one run. A file that could not be loaded counts as one failure, and so does a runner that failed
 * without a failed test, because it crashed or an error occurred outside tests.
 * @param file vitest's JSON report, which is missing if the runner crashed
 * @param code the runner's exit code; null if a signal ended it
 * @param without files that are counted elsewhere, and whose failures explain the exit code
 */
export function countReport(file: string, code: number | null, without: readonly string[] = []): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : { testResults: [] };
  let isExplained = code === 0;
  for (const { name, status, assertionResults } of report.testResults) {
    if (without.includes(name)) {
      isExplained = true;
      continue;
    }
    if (status === "failed" && !assertionResults.some((test) => test.status === "failed")) counts.failed += 1;
    for (const test of assertionResults) {
      if (test.status === "passed") counts.passed += 1;
      else if (test.status === "failed") counts.failed += 1;
      else counts.skipped += 1;
    }
  }
  if (!isExplained && counts.failed === 0) counts.failed = 1;
  return counts;
}
