import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { measuringLanes } from "../test/run-order.ts";
import { ensureUi, ensureWorkers, linkUi } from "./launch/build.ts";
import { projectRoot } from "./launch/project-root.ts";
import { ensurePythonAssets } from "./launch/python-assets.ts";
import { pluginHostWorker, serviceWorker } from "./launch/topology.ts";
import { countReport, type Counts } from "./test/count-report.ts";
import { failures, filesToRunAgain } from "./test/failed-tests.ts";
import { slowestTests } from "./test/slowest-tests.ts";

/**
 * npm test: all tests, with the ten slowest and all that failed at the end, and "N passed, N failed" as the last line. With arguments, which are
 * vitest's, one run of what they name.
 *
 * A few files that failed run once more, alone: a busy machine is then told apart from a fault. What failed only at first is
 * listed with its reasons, and counted in the last line; it is to be mended like any failure.
 */

/** Runners that together take longer than this hang. */
const timeoutMs = 75 * 60_000;
/** With more failed files something is broken. */
const maxFilesAgain = 3;

/** A run of vitest over some projects, one or more files at a time. */
interface Lane {
  name: string;
  args: readonly string[];
}

/**
 * Lanes of one stage run side by side: tests of a started service mostly wait, for processes, for browsers and for each
 * other, while those in Node compute, one file at a time: with more, browsers wait too long on two cores. Python plugins, a
 * quarter of those in Node, are in the shortest lane. Nothing else may run beside those of the last stage.
 */
const stages: readonly (readonly Lane[])[] =
  process.argv.length > 2
    ? [[{ name: "all", args: process.argv.slice(2) }]]
    : [
        [
          { name: "node", args: ["--project=node", "--project=runtime", "--maxWorkers=1"] },
          { name: "stack", args: ["--project=stack", "--project=python", "--maxWorkers=1"] },
          { name: "browser", args: ["--project=browser"] },
        ],
        measuringLanes.map((files, at) => ({ name: `alone-${at + 1}`, args: ["--project=alone", ...files] })),
      ];

async function build(): Promise<void> {
  console.log("Building the web UI and the service ...");
  const [ui] = await Promise.all([ensureUi(), ensurePythonAssets(), ensureWorkers([pluginHostWorker, serviceWorker])]);
  linkUi(ui);
}

const began = Date.now();

/** Runs vitest and returns its exit code; null when a signal ended it. */
function runTests({ args }: Lane, report: string): Promise<number | null> {
  const command = [
    path.join(projectRoot, "node_modules/vitest/vitest.mjs"),
    "run",
    `--reporter=${path.join(projectRoot, "scripts/test/progress-reporter.ts")}`,
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...args,
  ];
  return new Promise((resolve) => {
    const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: "1" };
    const runner = spawn(process.execPath, command, { cwd: projectRoot, env, stdio: ["ignore", "inherit", "inherit"] });
    const timer = setTimeout(
      () => {
        console.error(`The tests were stopped after ${timeoutMs / 60_000} minutes.`);
        runner.kill("SIGKILL");
      },
      began + timeoutMs - Date.now(),
    );
    runner.once("error", (error) => {
      console.error(error.message);
      resolve(null);
    });
    runner.once("exit", (exitCode) => {
      clearTimeout(timer);
      resolve(exitCode);
    });
  });
}

const folder = mkdtempSync(path.join(tmpdir(), "parley-test-report-"));
let total: Counts = { passed: 0, failed: 0, skipped: 0 };
/** Failures that a second run of their files did not repeat. */
let unstable = 0;

async function run(lane: Lane): Promise<{ report: string; code: number | null }> {
  const report = path.join(folder, `${lane.name}.json`);
  return { report, code: await runTests(lane, report) };
}

try {
  await build();
  const runs = [];
  for (const stage of stages) runs.push(...(await Promise.all(stage.map(run))));
  const reports = runs.map(({ report }) => report);
  const failed = failures(reports);
  const again = process.argv.length > 2 ? [] : filesToRunAgain(reports, maxFilesAgain);
  total = runs.map(({ report, code }) => countReport(report, code, again)).reduce(add);
  if (again.length > 0) {
    const files = again.map((file) => path.relative(projectRoot, file));
    console.log(`\nOnce more, alone: ${files.join(", ")}`);
    const second = await run({ name: "again", args: [...files, "--maxWorkers=1"] });
    const counts = countReport(second.report, second.code);
    total = add(total, counts);
    if (counts.failed === 0) unstable = failed.length;
  }
  console.log(`\nThe slowest tests:\n${slowestTests(reports, 10).join("\n")}`);
  const title = unstable > 0 ? "Failed at first, and passed alone" : "Failed";
  if (failed.length > 0) console.log(`\n${title}:\n${failed.join("\n")}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  total.failed += 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const others = [total.skipped > 0 ? `, ${total.skipped} skipped` : "", unstable > 0 ? `, ${unstable} unstable` : ""];
console.log(`\n${total.passed} passed, ${total.failed} failed${others.join("")}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}
