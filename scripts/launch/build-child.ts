import { type ChildProcess, execFile } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { oneByteSource } from "./one-byte-source.ts";
import { packFiles } from "./pack-files.ts";
import { type BuiltWorker, machineFile } from "./runtime-plan.ts";
import { serviceWorker } from "./topology.ts";

/**
 * Builds one thing into a folder and ends; build.ts starts it: wrangler and Vite take 100 MB and more each, and stay
 * loaded in whatever process imports them.
 *   build-child.ts ui OUT
 *   build-child.ts worker CONFIG OUT
 *   build-child.ts python OUT
 */
const [kind, ...rest] = process.argv.slice(2);
const projectRoot = path.resolve(import.meta.dirname, "../..");

const children: ChildProcess[] = [];

const moduleTypes: Record<string, BuiltWorker["modules"][number]["type"]> = {
  ".js": "ESModule",
  ".mjs": "ESModule",
  ".wasm": "CompiledWasm",
  ".txt": "Text",
  ".html": "Text",
  ".sql": "Text",
  ".bin": "Data",
};

async function buildUi(out: string): Promise<void> {
  const { build } = await import("vite");
  await build({
    configFile: path.join(projectRoot, "vite.config.ts"),
    logLevel: "warn",
    build: { outDir: out, emptyOutDir: true },
  });
  await packFiles(out);
}

async function buildWorker(config: string, out: string): Promise<void> {
  const modulesRoot = path.join(out, "bundle");
  const wrangler = path.join(projectRoot, "node_modules/wrangler/bin/wrangler.js");
  // The UI is built beside this; any folder does for a run that uploads nothing.
  const args = [
    wrangler,
    "deploy",
    "--dry-run",
    "--outdir",
    modulesRoot,
    "--assets",
    projectRoot + "/migrations",
    "-c",
    config,
  ];
  const bundling = promisify(execFile)(process.execPath, args, {
    cwd: projectRoot,
    env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", PARLEY_SKIP_UI: "1" },
  });
  const bundled = bundling.catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`${error.stdout ?? ""}${error.stderr ?? ""}`.trim() || error.message, { cause: error });
  });
  children.push(bundling.child);
  // Awaited below, after what can be done meanwhile.
  bundled.catch(() => undefined);
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import("wrangler");
  const read = unstable_readConfig({ config }, { hideWarnings: true });
  const { modulesRules: _, ...options } = unstable_getMiniflareWorkerOptions(config).workerOptions;
  await bundled;
  const files = readdirSync(modulesRoot).filter((file) => path.extname(file) in moduleTypes);
  const main = `${path.basename(read.main ?? "", path.extname(read.main ?? ""))}.js`;
  const modules = [main, ...files.filter((file) => file !== main)].map((file) => ({
    type: moduleTypes[path.extname(file)] ?? "Data",
    path: file,
  }));
  const built: Omit<BuiltWorker, "modulesRoot"> = {
    name: read.name ?? "worker",
    modules,
    crons: read.triggers.crons ?? [],
    workerFirst: Array.isArray(read.assets?.run_worker_first) ? read.assets.run_worker_first : [],
    // The variables of the file itself: wrangler adds those of .dev.vars, which are for `wrangler dev` only.
    options: { ...options, bindings: read.vars } as unknown as BuiltWorker["options"],
  };
  // A bundle without its entry is noticed here, not at the start.
  const entry = path.join(modulesRoot, main);
  writeFileSync(entry, oneByteSource(readFileSync(entry, "utf8")));
  if (config === path.join(projectRoot, serviceWorker)) writeFileSync(path.join(out, machineFile), machineCode());
  writeFileSync(path.join(out, "worker.json"), JSON.stringify(built));
}

function machineCode(): string {
  return stripTypeScriptTypes(readFileSync(path.join(projectRoot, "workers/machine/main.ts"), "utf8"));
}

/** In a process of its own too: the interpreter that the picture is taken of keeps its process alive. */
async function buildPython(out: string): Promise<void> {
  const { buildPythonAssets } = await import("./build-python-assets.ts");
  await buildPythonAssets(out);
}

// The launcher gives the start up: what this process has started ends with it.
process.once("SIGTERM", () => {
  for (const child of children) child.kill("SIGKILL");
  process.exit(143);
});

const [first = "", second = ""] = rest;
try {
  if (kind === "python") await buildPython(first);
  else await (kind === "ui" ? buildUi(first) : buildWorker(first, second));
} catch (error) {
  // The message of a build says what is wrong in which file; its stack is the bundler's own.
  process.stderr.write((error as Error).message);
  process.exitCode = 1;
}
