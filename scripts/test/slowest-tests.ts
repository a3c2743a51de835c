import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../launch/project-root.ts";

/** The part of vitest's JSON report (Jest's shape) that times tests, in milliseconds. */
interface Report {
  testResults: { name: string; assertionResults: { fullName: string; duration?: number | null }[] }[];
}

/** A line for each of the slowest tests in vitest's JSON reports: seconds, file and name. */
export function slowestTests(files: readonly string[], count: number): string[] {
  return files
    .filter((file) => existsSync(file))
    .flatMap((file) => (JSON.parse(readFileSync(file, "utf8")) as Report).testResults)
    .flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({
        text: `${path.relative(projectRoot, name)} > ${fullName}`,
        seconds: (duration ?? 0) / 1000,
      })),
    )
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ text, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${text}`);
}
