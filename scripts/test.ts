import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { ensureUi, ensureWorker, linkUi } from "./launch/build.ts";
import { projectRoot } from "./launch/project-root.ts";
import { ensurePythonAssets } from "./launch/python-assets.ts";
import { pluginHostWorker, serviceWorkers } from "./launch/topology.ts";
import { addCounts, countReport, type Counts } from "./test/count-report.ts";

/**
 * npm test [-- vitest arguments]: all tests, ending with the line "N passed, N failed". The groups run one after
 * another: tests of the started service measure times, which tests beside them on two cores would spoil.
 */
const groups = [["node", "runtime"], ["stack"], ["browser"]];

/** A runner that takes longer than this hangs. */
const groupTimeoutMs = 30 * 60_000;

async function build(): Promise<void> {
  console.log("Building the web UI and the service ...");
  const [ui] = await Promise.all([
    ensureUi(),
    ensurePythonAssets(),
    ...[pluginHostWorker, ...serviceWorkers].map(ensureWorker),
  ]);
  linkUi(ui);
}

async function runGroup(projects: string[], folder: string): Promise<Counts> {
  console.log(`\n== ${projects.join(" and ")}`);
  const report = path.join(folder, `${projects.join("-")}.json`);
  const args = [
    path.join(projectRoot, "node_modules/vitest/vitest.mjs"),
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ];
  const code = await new Promise<number | null>((resolve) => {
    const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: "1" };
    const runner = spawn(process.execPath, args, { cwd: projectRoot, env, stdio: ["ignore", "inherit", "inherit"] });
    const timer = setTimeout(() => {
      console.error(`The runner of ${projects.join(" and ")} was stopped after ${groupTimeoutMs / 60_000} minutes.`);
      runner.kill("SIGKILL");
    }, groupTimeoutMs);
    runner.once("error", (error) => {
      console.error(error.message);
      resolve(null);
    });
    runner.once("exit", (exitCode) => {
      clearTimeout(timer);
      resolve(exitCode);
    });
  });
  return countReport(report, code);
}

let total: Counts = { passed: 0, failed: 0, skipped: 0 };
const folder = mkdtempSync(path.join(tmpdir(), "parley-test-report-"));
try {
  await build();
  for (const projects of groups) total = addCounts(total, await runGroup(projects, folder));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  total = addCounts(total, { passed: 0, failed: 1, skipped: 0 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
