import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import type { DataFolder } from "./data-folder.ts";
import { projectRoot } from "./project-root.ts";
import { say } from "./say.ts";
import { exitCodes, firstLine, StartError } from "./start-error.ts";

/**
 * Compares the keys with the database and migrates it, in a process of its own: the client takes memory that would stay.
 * @param bindings where the database is, its token, and the ring
 * @param ready resolves when the rest of the start can no longer fail because of this checkout: nothing is changed before that
 * @throws StartError when keys or database do not fit, or the database cannot be used
 */
export async function migrateDatabase(
  folder: DataFolder,
  bindings: Record<string, string>,
  ready: Promise<unknown>,
): Promise<void> {
  const script = path.join(projectRoot, "scripts/migrate.ts");
  const newKeys = existsSync(folder.newKeysFile) ? ["--new-keys"] : [];
  const snapshot = process.env["SNAPSHOT_BEFORE_MIGRATION"] === "false" ? [] : ["--snapshot", folder.dir];
  const args = [
    "--disable-warning=ExperimentalWarning",
    script,
    "--exclusive",
    "--after-input",
    ...newKeys,
    ...snapshot,
  ];
  try {
    const migration = promisify(execFile)(process.execPath, args, { env: { ...process.env, ...bindings } });
    const { child } = migration;
    // It may end without having read it.
    child.stdin?.on("error", () => undefined);
    ready.then(
      () => child.stdin?.end(),
      () => child.kill("SIGKILL"),
    );
    const { stdout } = await migration;
    for (const line of stdout.split("\n").filter((each) => each.startsWith("The database before"))) say(`  ${line}`);
  } catch (error) {
    const { code, stderr = "" } = error as { code?: number; stderr?: string };
    if (code === exitCodes.configuration) throw new StartError(firstLine(stderr), "configuration");
    throw brokenDatabase(folder, stderr.trim() || String(error));
  }
  rmSync(folder.newKeysFile, { force: true });
}

/** @param said by the database, or by who asked it */
export function brokenDatabase(folder: DataFolder, said: string): StartError {
  const isFull = /no space left|disk is full/i.test(said);
  const advice = isFull ? "Make room on its disk." : "If its files are damaged, restore the data folder from a backup.";
  return new StartError(
    `The database in ${folder.database} cannot be used (${firstLine(said)}). ${advice}`,
    "inputOutput",
  );
}
