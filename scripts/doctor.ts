import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { findService } from "./admin/running-service.ts";
import { checkDatabase } from "./doctor/database-checks.ts";
import type { Finding } from "./doctor/finding.ts";
import { checkFolder } from "./doctor/folder-checks.ts";
import { checkObjects } from "./doctor/object-checks.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say } from "./launch/say.ts";
import { explainFailure, StartError } from "./launch/start-error.ts";
import { readMigrations } from "./migrate/read-migrations.ts";

/**
 * npm run doctor [-- --fix] [--json]: what is not as it should be in DATA, whether Parley runs on it or not. Exit code 0: nothing;
 * 1: something was found and not mended.
 */
ignoreClosedOutput();

function readCall() {
  try {
    return parseArgs({ options: { fix: { type: "boolean" }, json: { type: "boolean" } } }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message}.`, "usage");
  }
}

/** @returns those that are mended */
async function mend(findings: readonly Finding[], dataDir: string): Promise<Set<Finding>> {
  const mended = new Set<Finding>();
  for (const finding of findings) {
    if (!finding.fix) continue;
    finding.fix();
    mended.add(finding);
  }
  const asked = findings.filter(({ repair }) => repair !== undefined);
  if (asked.length > 0) {
    const service = await findService(dataDir);
    const objects = asked.flatMap((finding) => finding.objects ?? []);
    await service.post("repairs", { repairs: asked.map(({ repair }) => repair), objects });
    for (const finding of asked) mended.add(finding);
  }
  return mended;
}

try {
  const { fix, json } = readCall();
  const dataDir = path.resolve(projectRoot, process.env["DATA"]?.trim() || ".data");
  const migrations = readMigrations(path.join(projectRoot, "migrations")).map(({ name }) => name);
  const inDatabase = checkDatabase(dataDir, migrations);
  // Objects are compared with a sound database only.
  const isSound = inDatabase.every(({ check }) => check !== "database" && check !== "schema");
  const findings = [...checkFolder(dataDir), ...inDatabase, ...(isSound ? checkObjects(dataDir) : [])];
  const mended = fix ? await mend(findings, dataDir) : new Set<Finding>();
  if (json) {
    const shown = findings.map((finding) => {
      const { check, found, advice } = finding;
      return { check, found, advice, fixed: mended.has(finding) };
    });
    say(JSON.stringify({ findings: shown }));
  } else {
    for (const finding of findings)
      say(`${finding.check}: ${finding.found}. ${mended.has(finding) ? "Mended" : `Advice: ${finding.advice}`}.`);
    if (findings.length === 0) say("Nothing is wrong.");
  }
  process.exitCode = findings.length > mended.size ? 1 : 0;
} catch (error) {
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  complain(failure.message);
  process.exitCode = failure.exitCode;
}
