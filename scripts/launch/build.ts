import { type ChildProcess, execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { isRelease, projectRoot, releasedBuilds } from "./project-root.ts";
import type { BuiltWorker } from "./runtime-plan.ts";
import { hashSources } from "./source-hash.ts";
import { firstLine, StartError } from "./start-error.ts";

const buildDir = path.join(projectRoot, ".build");

/** What all builds depend on: the versions of all packages, and the recipe itself. Not where the checkout lies, which may be moved. */
const recipe = ["package-lock.json", "scripts/launch/build-child.ts"];

/** Builds are kept while something runs from them, and the newest few for switching between versions. */
const keptBuilds = 6;

/**
 * Builds the UI unless it was built from these very files already.
 * @returns the folder, which never changes again
 */
export function ensureUi(): Promise<string> {
  const sources = [...recipe, "scripts/launch/pack-files.ts", "vite.config.ts", "docs", "src"];
  const takes = (file: string) => !file.startsWith("src/") || file.startsWith("src/ui/") || isSharedWithUi(file);
  const key = () => hashSources(projectRoot, sources, takes, "");
  return ensure("ui", key, (out) => ["ui", out]);
}

/** Builds a Worker unless it was built from these very files already. `config` is its wrangler.toml, from the root. */
export async function ensureWorker(config: string): Promise<BuiltWorker> {
  const [built] = await ensureWorkers([config]);
  return built!;
}

/** The same for several: what all of them are built from is read once. */
export function ensureWorkers(configs: readonly string[]): Promise<BuiltWorker[]> {
  const takes = (file: string) => !file.startsWith("src/ui/");
  let shared: string | undefined;
  const key = (config: string) => {
    shared ??= hashSources(projectRoot, [...recipe, "src", "workers", "migrations"], takes, "");
    return hashSources(projectRoot, [config], takes, shared);
  };
  return Promise.all(configs.map((config) => ensureOneWorker(config, () => key(config))));
}

async function ensureOneWorker(config: string, key: () => string): Promise<BuiltWorker> {
  const kind = `worker-${config.replaceAll(/\W+/g, "-")}`;
  const folder = await ensure(kind, key, (out) => ["worker", path.join(projectRoot, config), out]);
  const built = JSON.parse(readFileSync(path.join(folder, "worker.json"), "utf8")) as BuiltWorker;
  const modulesRoot = path.join(folder, "bundle");
  return {
    ...built,
    options: { ...built.options, rootPath: path.dirname(path.join(projectRoot, config)) },
    modulesRoot,
    modules: built.modules.map((module) => ({ ...module, path: path.join(modulesRoot, module.path) })),
  };
}

/** Points dist/ui, which wrangler.toml names, at a built UI. */
export function linkUi(folder: string): void {
  linkBuild("ui", folder);
}

/** Points a name in dist/ at a build, unless it does already. Replaced in one step: nobody sees it missing. */
export function linkBuild(name: string, folder: string): void {
  const link = path.join(projectRoot, "dist", name);
  if (isRelease || (existsSync(link) && realpathSync(link) === realpathSync(folder))) return;
  mkdirSync(path.dirname(link), { recursive: true });
  const fresh = `${link}.${process.pid}`;
  symlinkSync(path.relative(path.dirname(link), folder), fresh);
  try {
    renameSync(fresh, link);
  } catch (error) {
    // A real folder stands there: someone called vite itself.
    if (!["EISDIR", "ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    rmSync(link, { recursive: true });
    renameSync(fresh, link);
  }
}

function isSharedWithUi(file: string): boolean {
  // The pages for plugins offer the examples as sources to start from.
  return (
    file.endsWith("/schema.ts") ||
    file === "src/http/packed-types.ts" ||
    file.startsWith("src/shared/") ||
    file.startsWith("src/plugins/examples/")
  );
}

/**
 * Every build lies in a folder of its own named after its sources, made beside and renamed when it is complete: two
 * starts at the same time at worst do the same work twice. A release has the builds that it was made with.
 * @param findKey hashes the sources
 * @param argumentsFor what build-child.ts is told, by the folder to build into
 * @throws StartError when there is none yet, and none can be made
 */
export async function ensure(
  kind: string,
  findKey: () => string,
  argumentsFor: (out: string) => string[],
): Promise<string> {
  if (isRelease) return path.join(releasedBuilds, kind);
  const folder = path.join(buildDir, `${kind}-${findKey()}`);
  if (!existsSync(folder)) await makeBuild(kind, folder, argumentsFor);
  try {
    writeFileSync(`${folder}.used-by-${process.pid}`, "");
    utimesSync(folder, new Date(), new Date());
    prune(kind);
  } catch (error) {
    // The installation belongs to somebody else: nothing is noted in it, or removed from it.
    if (!isForbidden(error)) throw error;
  }
  return folder;
}

async function makeBuild(kind: string, folder: string, argumentsFor: (out: string) => string[]): Promise<void> {
  const unfinished = path.join(buildDir, `unfinished-${kind}-${process.pid}`);
  try {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(buildDir)) mkdirSync(buildDir, { recursive: true });
    // Not `recursive`: on a read-only file system Node would then say ENOENT.
    mkdirSync(unfinished);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new StartError(
      `Parley is not built yet, and ${buildDir} cannot be written. Run npm run build as the owner of ${projectRoot}.`,
      "noPermission",
    );
  }
  await runBuild(argumentsFor(unfinished));
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

/** The folder belongs to somebody else, is read-only, or is none. */
function isForbidden(error: unknown): boolean {
  return ["EACCES", "EPERM", "EROFS", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Builds of this process that are under way. */
const running = new Set<ChildProcess>();
let isStopped = false;

/** For a start that is given up. */
export function stopBuilds(): void {
  isStopped = true;
  for (const child of running) child.kill("SIGTERM");
}

async function runBuild(args: string[]): Promise<void> {
  const script = path.join(import.meta.dirname, "build-child.ts");
  let child: ChildProcess | undefined;
  try {
    const build = promisify(execFile)(process.execPath, [script, ...args], {
      cwd: projectRoot,
      maxBuffer: 2 ** 24,
      // Vite would make a development build where tests have set something else.
      env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1", FORCE_COLOR: "0" },
    });
    ({ child } = build);
    running.add(child);
    await build;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    // Ended with the start, which says why.
    if (isStopped) return new Promise(() => undefined);
    const said = `${stdout}${stderr}`.trim();
    const log = path.join(buildDir, "build.log");
    writeFileSync(log, `${said}\n`);
    throw new StartError(
      `The build failed (${firstLine(said)}). ${log} has all of it. Take the unchanged files of a release, or correct yours.`,
      "internal",
    );
  } finally {
    if (child) running.delete(child);
  }
}

/** Removes old builds of a kind that no living process uses, and what dead processes left. */
function prune(kind: string): void {
  for (const name of readdirSync(buildDir).filter((name) => name.startsWith(`unfinished-${kind}-`))) {
    if (!isAlive(Number(name.slice(name.lastIndexOf("-") + 1))))
      rmSync(path.join(buildDir, name), { recursive: true, force: true });
  }
  const names = readdirSync(buildDir).filter((name) => name.startsWith(`${kind}-`));
  const used = new Set<string>();
  for (const name of names) {
    const [folder, pid] = name.split(".used-by-");
    if (folder === undefined || pid === undefined) continue;
    if (isAlive(Number(pid))) used.add(folder);
    else rmSync(path.join(buildDir, name), { force: true });
  }
  const folders = names.filter((name) => !name.includes(".used-by-")).map((name) => ({ name, time: modified(name) }));
  const old = folders.toSorted((a, b) => b.time - a.time).slice(keptBuilds);
  for (const { name } of old.filter((folder) => !used.has(folder.name))) {
    rmSync(path.join(buildDir, name), { recursive: true, force: true });
  }
}

function modified(name: string): number {
  return statSync(path.join(buildDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
