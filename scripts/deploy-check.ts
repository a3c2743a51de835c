import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { ensureUi, linkUi } from "./launch/build.ts";
import { projectRoot } from "./launch/project-root.ts";
import { ensurePythonAssets, linkPythonAssets } from "./launch/python-assets.ts";

/**
 * npm run deploy:check: a dry run of the deployment of every Worker, with the size of its bundle. Each has a
 * budget, because every new isolate on the edge loads and compiles all of it before the first answer.
 */
const budgets: Record<string, number> = {
  "wrangler.toml": 1_000_000,
  "workers/plugin-host/wrangler.toml": 250_000,
  "workers/passwords/wrangler.toml": 20_000,
  // Most of it is the engine for PDF; nobody waits for its isolates as people wait for answers.
  "workers/extractor/wrangler.toml": 4_000_000,
};

function findConfigs(): string[] {
  const folders = readdirSync(path.join(projectRoot, "workers"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const own = folders.map((folder) => `workers/${folder.name}/wrangler.toml`);
  return [
    "wrangler.toml",
    ...own.filter((config) => readdirSync(path.join(projectRoot, path.dirname(config))).includes("wrangler.toml")),
  ];
}

/** Gzip size in bytes of what would be uploaded: the modules without their source maps. */
async function measureBundle(config: string): Promise<number> {
  const out = mkdtempSync(path.join(tmpdir(), "parley-deploy-"));
  try {
    const wrangler = path.join(projectRoot, "node_modules/wrangler/bin/wrangler.js");
    await promisify(execFile)(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", out, "-c", config], {
      cwd: projectRoot,
      env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", PARLEY_SKIP_UI: "1" },
    });
    const modules = readdirSync(out).filter((file) => !file.endsWith(".map") && file !== "README.md");
    return modules.reduce((sum, file) => sum + gzipSync(readFileSync(path.join(out, file))).length, 0);
  } finally {
    rmSync(out, { recursive: true });
  }
}

linkUi(await ensureUi());
linkPythonAssets(await ensurePythonAssets());
for (const config of findConfigs()) {
  try {
    const size = await measureBundle(config);
    const budget = budgets[config];
    const over = budget !== undefined && size > budget;
    console.log(
      `${config}: ${(size / 1000).toFixed(0)} KB gzipped${budget === undefined ? "" : ` of ${budget / 1000}`}${over ? ": over the budget" : ""}`,
    );
    if (over) process.exitCode = 1;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    console.error(`${config}: the dry run failed\n${stdout}${stderr || String(error)}`);
    process.exitCode = 1;
  }
}
