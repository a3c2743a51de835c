import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { ensureUi, ensureWorker } from "./launch/build.ts";
import { projectRoot } from "./launch/project-root.ts";
import { ensurePythonAssets } from "./launch/python-assets.ts";
import { complain, say } from "./launch/say.ts";
import { exitCodes, explainFailure, StartError } from "./launch/start-error.ts";
import { extractorWorker, passwordsWorker, pluginHostWorker, serviceWorker } from "./launch/topology.ts";
import { readVersion } from "./launch/version.ts";
import { billOfMaterials } from "./package/bill-of-materials.ts";
import { type LockedPackages, withDependencies } from "./package/locked-packages.ts";
import { isThisPlatform, type ReleasePlatform, releasePlatforms } from "./package/release-platforms.ts";
import { findSourceFiles } from "./package/source-files.ts";

/**
 * npm run package [-- --platform linux-arm64] [--out FOLDER] [--folder]: makes a release for one kind of machine, as
 * dist/parley-VERSION-PLATFORM.tar.gz, or as a folder with --folder. It runs without npm and without a network.
 */

/** Programs of a release: what scripts/package/parley starts. */
const programs = [
  "launch",
  "health",
  "smoke",
  "migrate",
  "admin",
  "doctor",
  "import",
  "export",
  "backup",
  "restore",
  "verify-backup",
  "upgrade",
].map((name) => `scripts/${name}.ts`);
/** A release is built already, and does not reload. */
const onlyToBuild = new Set([
  "vite.config.ts",
  "scripts/launch/build-child.ts",
  "scripts/launch/build-python-assets.ts",
  "scripts/launch/dev-server.ts",
]);
/** Of packages that are needed: for pictures in Miniflare, of which only the bucket runs, and for database files without sqld. */
const unused = new Set(["sharp", "libsql"]);
/** Not needed to run anything: headers and manuals of Node, types, maps. */
const isDeadWeight = (file: string) => /\/node-[^/]+\/(?:include|share)(?:\/|$)|\.(?:map|d\.[mc]?ts)$/.test(file);

const { values } = parseArgs({
  options: {
    platform: { type: "string", default: releasePlatforms.find(isThisPlatform)?.name ?? "" },
    out: { type: "string", default: "dist" },
    folder: { type: "boolean", default: false },
  },
});

const platform = releasePlatforms.find(({ name }) => name === values.platform);
if (platform === undefined) {
  complain(
    `--platform is "${values.platform}", expected one of ${releasePlatforms.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(exitCodes.usage);
}
const { version, commit } = await readVersion();
const locked = (
  JSON.parse(readFileSync(path.join(projectRoot, "package-lock.json"), "utf8")) as { packages: LockedPackages }
).packages;
const name = `parley-${version}-${platform.name}`;
const out = path.resolve(projectRoot, values.out);
const work = mkdtempSync(path.join(tmpdir(), "parley-package-"));
const release = path.join(work, name);
try {
  mkdirSync(out, { recursive: true });
  await copyBuilds();
  const { packages } = copySources();
  await copyPackages(platform, packages);
  writeBill(packages);
  if (values.folder) {
    rmSync(path.join(out, name), { recursive: true, force: true });
    cpSync(release, path.join(out, name), { recursive: true, verbatimSymlinks: true });
    say(`Wrote ${path.join(out, name)}`);
  } else {
    const archive = path.join(out, `${name}.tar.gz`);
    await promisify(execFile)("tar", ["-czf", archive, "-C", work, name]);
    say(`Wrote ${archive}`);
  }
} catch (error) {
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  complain(failure.message);
  process.exitCode = failure.exitCode;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The folders that scripts/launch/build.ts takes from a release. */
async function copyBuilds(): Promise<void> {
  const folders = [await ensureUi(), await ensurePythonAssets()];
  for (const config of [serviceWorker, pluginHostWorker, extractorWorker, passwordsWorker])
    folders.push(path.dirname((await ensureWorker(config)).modulesRoot));
  for (const folder of folders) {
    // Without the hash of what it was built from.
    const kind = path.basename(folder).replace(/-[0-9a-f]{16}$/, "");
    cpSync(folder, path.join(release, "built", kind), { recursive: true, filter: (file) => !isDeadWeight(file) });
  }
}

function copySources(): { packages: Set<string> } {
  const { files, packages } = findSourceFiles(projectRoot, programs, onlyToBuild);
  for (const file of [...files, "migrations"])
    cpSync(path.join(projectRoot, file), path.join(release, file), { recursive: true });
  cpSync(path.join(projectRoot, "scripts/package/parley"), path.join(release, "parley"));
  // For service managers and containers.
  cpSync(path.join(projectRoot, "docs/install"), path.join(release, "install"), { recursive: true });
  // For machines that watch the service.
  cpSync(path.join(projectRoot, "monitor"), path.join(release, "monitor"), { recursive: true });
  // Node reads `type` in it, version.ts `version`.
  const described = { name: "parley", version, private: true, type: "module" };
  writeFileSync(path.join(release, "package.json"), `${JSON.stringify(described, null, 2)}\n`);
  writeFileSync(path.join(release, ".release-commit"), `${commit ?? "unknown"}\n`);
  return { packages };
}

/** What runs: the packages that the programs import, and the processes they start. */
async function copyPackages(wanted: ReleasePlatform, imported: Set<string>): Promise<void> {
  const root = isThisPlatform(wanted) ? projectRoot : await installFor(wanted);
  const binaries = binariesOf(wanted);
  for (const binary of binaries) {
    if (!existsSync(path.join(root, "node_modules", binary)))
      throw new StartError(`The package ${binary} is not installed in ${root}. Run npm ci there.`, "noInput");
  }
  for (const place of withDependencies(locked, [...imported, ...binaries], unused)) {
    const from = path.join(root, place);
    // Packages for other kinds of machines are not installed.
    if (!existsSync(from)) continue;
    const nested = path.join(from, "node_modules");
    cpSync(from, path.join(release, place), {
      recursive: true,
      filter: (file) => !isDeadWeight(file) && file !== nested,
    });
  }
}

function binariesOf({ node, os, cpu }: ReleasePlatform): string[] {
  return [node, `@sqld/${os}-${cpu}`];
}

/** Another kind of machine: its packages are fetched into a folder of their own. */
async function installFor({ os, cpu, name: label }: ReleasePlatform): Promise<string> {
  const folder = path.join(work, "packages");
  mkdirSync(folder);
  for (const file of ["package.json", "package-lock.json"])
    cpSync(path.join(projectRoot, file), path.join(folder, file));
  say(`Fetching the packages for ${label} ...`);
  const args = ["ci", "--omit=dev", "--ignore-scripts", "--loglevel=error", `--os=${os}`, `--cpu=${cpu}`];
  await promisify(execFile)("npm", args, { cwd: folder });
  return folder;
}

/** Also what is inside the built Workers and the web UI. */
function writeBill(run: Set<string>): void {
  const ui = readdirSync(path.join(projectRoot, "src/ui"), { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(?:ts|svelte)$/.test(file),
  );
  const built = findSourceFiles(
    projectRoot,
    [
      "workers/main.ts",
      "workers/extractor/main.ts",
      "workers/passwords/main.ts",
      "workers/plugin-host/main.ts",
      ...ui.map((file) => `src/ui/${file.replaceAll("\\", "/")}`),
    ],
    new Set(),
  );
  const binaries = [...binariesOf(platform!), "pyodide"];
  const places = withDependencies(locked, [...run, ...built.packages, ...binaries], unused);
  // What is for one kind of machine is in it only if it is for this one.
  const inside = places.filter((place) => locked[place]!.os === undefined || existsSync(path.join(release, place)));
  const bill = billOfMaterials(version, locked, inside);
  writeFileSync(path.join(release, "sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
}
