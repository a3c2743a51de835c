import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../launch/project-root.ts";

/** The part of vitest's JSON report (Jest's shape) that tells of failures. `message` is set where a file could not be loaded. */
interface Report {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] | null }[];
  }[];
}

/** Lines of a message that are shown: the values that differ come in the first ones. */
const maxLines = 12;

/** Where the errors outside tests of the run with this report are written, as a JSON array of texts: the report leaves them out. */
export function errorsBeside(report: string): string {
  return `${report}.errors`;
}

/**
 * The files that failed, as absolute paths, where a second run of them can tell whether they fail each time: there are at most
 * `max`, and nothing failed outside of tests.
 */
export function filesToRunAgain(reports: readonly string[], max: number): string[] {
  if (reports.some((report) => !existsSync(report) || existsSync(errorsBeside(report)))) return [];
  const failed = readReports(reports).filter(({ status }) => status === "failed");
  return failed.length > max ? [] : failed.map(({ name }) => name);
}

/**
 * Failed tests and files in vitest's JSON reports, and errors outside tests: file, name and the beginning of the reason.
 * In the output of several lanes at once the failures of one of them are hard to find.
 */
export function failures(reports: readonly string[]): string[] {
  const outside = reports
    .map(errorsBeside)
    .filter((file) => existsSync(file))
    .flatMap((file) => JSON.parse(readFileSync(file, "utf8")) as string[])
    .map((text) => {
      const [title, ...reason] = text.split("\n");
      return entry(`Outside tests: ${title?.replace(`${projectRoot}/`, "")}`, reason.join("\n"));
    });
  return [...failedTests(reports), ...outside];
}

function readReports(files: readonly string[]): Report["testResults"] {
  return files
    .filter((file) => existsSync(file))
    .flatMap((file) => (JSON.parse(readFileSync(file, "utf8")) as Report).testResults);
}

function failedTests(files: readonly string[]): string[] {
  return readReports(files).flatMap(({ name, status, message, assertionResults }) => {
    const at = path.relative(projectRoot, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [entry(at, message)] : [];
    return failed.map((test) => entry(`${at} > ${test.fullName}`, test.failureMessages?.join("\n") ?? ""));
  });
}

function entry(title: string, reason: string): string {
  const lines = reason.trim().split("\n").slice(0, maxLines);
  return [`  ${title}`, ...lines.map((line) => `      ${line}`)].join("\n");
}
