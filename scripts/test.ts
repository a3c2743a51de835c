import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { ensureUi, ensureWorker, linkUi } from "./launch/build.ts";
import { projectRoot } from "./launch/project-root.ts";
import { ensurePythonAssets } from "./launch/python-assets.ts";
import { pluginHostWorker, serviceWorkers } from "./launch/topology.ts";
import { countReport, type Counts } from "./test/count-report.ts";
import { slowestTests } from "./test/slowest-tests.ts";

/** npm test [-- vitest arguments]: all tests, with the ten slowest at the end and "N passed, N failed" as the last line. */

/** A runner that takes longer than this hangs. */
const timeoutMs = 75 * 60_000;

async function build(): Promise<void> {
  console.log("Building the web UI and the service ...");
  const [ui] = await Promise.all([
    ensureUi(),
    ensurePythonAssets(),
    ...[pluginHostWorker, ...serviceWorkers].map(ensureWorker),
  ]);
  linkUi(ui);
}

/** Runs vitest and returns its exit code; null when a signal ended it. */
function runTests(report: string): Promise<number | null> {
  const args = [
    path.join(projectRoot, "node_modules/vitest/vitest.mjs"),
    "run",
    `--reporter=${path.join(projectRoot, "scripts/test/progress-reporter.ts")}`,
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ];
  return new Promise((resolve) => {
    const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: "1" };
    const runner = spawn(process.execPath, args, { cwd: projectRoot, env, stdio: ["ignore", "inherit", "inherit"] });
    const timer = setTimeout(() => {
      console.error(`The tests were stopped after ${timeoutMs / 60_000} minutes.`);
      runner.kill("SIGKILL");
    }, timeoutMs);
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

let total: Counts = { passed: 0, failed: 1, skipped: 0 };
const folder = mkdtempSync(path.join(tmpdir(), "parley-test-report-"));
try {
  await build();
  const report = path.join(folder, "report.json");
  total = countReport(report, await runTests(report));
  console.log(`\nThe slowest tests:\n${slowestTests(report, 10).join("\n")}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
