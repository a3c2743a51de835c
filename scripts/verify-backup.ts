import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { readPassphrase } from "./backup/read-passphrase.ts";
import { verifyBackup } from "./backup/verify-backup.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say } from "./launch/say.ts";
import { explainFailure, StartError } from "./launch/start-error.ts";

/**
 * npm run verify-backup -- FILE [--in FOLDER]: restores a backup into a private folder, starts it there and asks it for the three levels
 * of health. Nothing leaves that copy, and it is removed.
 */
ignoreClosedOutput();

function readCall(): { file: string; parent: string } {
  const usage = "Name the file of a backup, and with --in a folder where there is room for the copy.";
  try {
    const { values, positionals } = parseArgs({ options: { in: { type: "string" } }, allowPositionals: true });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new StartError(usage, "usage");
    return { file, parent: path.resolve(values.in ?? tmpdir()) };
  } catch (error) {
    throw new StartError(error instanceof StartError ? usage : `${(error as Error).message}. ${usage}`, "usage");
  }
}

let exitCode = 0;
try {
  const { file, parent } = readCall();
  const { moment, version } = await verifyBackup(path.resolve(file), readPassphrase(process.env), say, parent);
  say(`The backup of ${moment} (Parley ${version}) is good.`);
} catch (error) {
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  complain(failure.message);
  exitCode = failure.exitCode;
}
// Timers of the copy may be left.
process.exit(exitCode);
