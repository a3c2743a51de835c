import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ensureUi, ensureWorker, linkUi } from "./launch/build.ts";
import { projectRoot } from "./launch/project-root.ts";
import { ensurePythonAssets, linkPythonAssets } from "./launch/python-assets.ts";
import { complain, say } from "./launch/say.ts";
import { exitCodes, explainFailure } from "./launch/start-error.ts";
import { extractorWorker, passwordsWorker, pluginHostWorker, serviceWorker } from "./launch/topology.ts";

/**
 * npm run build: makes everything that a start would otherwise make, so that another user may start Parley who cannot
 * write here. With --prune it then removes the packages that only building and testing need.
 */
const arguments_ = process.argv.slice(2);
const unknown = arguments_.find((argument) => argument !== "--prune");
if (unknown !== undefined) {
  complain(`Unknown argument ${unknown}. Usage: npm run build -- [--prune]`);
  process.exit(exitCodes.usage);
}
const buildFolder = path.join(projectRoot, ".build");
try {
  mkdirSync(buildFolder, { recursive: true });
  // Not all side by side: each Worker's bundler takes 150 MB.
  linkUi(await ensureUi());
  for (const config of [serviceWorker, pluginHostWorker, extractorWorker, passwordsWorker]) await ensureWorker(config);
  linkPythonAssets(await ensurePythonAssets());
  // scripts/with-node.sh then starts with the packages of production.
  copyFileSync(path.join(projectRoot, "package-lock.json"), path.join(buildFolder, "built-for"));
  if (arguments_.includes("--prune")) prune();
  say("Parley is built. npm start needs to write only to DATA and to a temporary folder now.");
} catch (error) {
  const failure = explainFailure(error, [buildFolder]);
  complain(failure.message);
  process.exit(failure.exitCode);
}

function prune(): void {
  rmSync(path.join(projectRoot, "node_modules/.parley-package-lock"), { force: true });
  const { status } = spawnSync("npm", ["prune", "--omit=dev", "--loglevel=error"], {
    cwd: projectRoot,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("npm could not remove the packages for development");
}
