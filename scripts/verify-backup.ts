import path from "node:path";
import process from "node:process";
import { readPassphrase } from "./backup/read-passphrase.ts";
import { verifyBackup } from "./backup/verify-backup.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say } from "./launch/say.ts";
import { explainFailure, StartError } from "./launch/start-error.ts";

/**
 * npm run verify-backup -- FILE: restores a backup into a private folder, starts it there and asks it for the three levels of health.
 * Nothing leaves that copy, and it is removed. TMPDIR says where it lies.
 */
ignoreClosedOutput();
let exitCode = 0;
try {
  const [file, ...others] = process.argv.slice(2);
  if (file === undefined || others.length > 0) throw new StartError("Name the file of a backup.", "usage");
  const { moment, version } = await verifyBackup(path.resolve(file), readPassphrase(process.env), say);
  say(`The backup of ${moment} (Parley ${version}) is good.`);
} catch (error) {
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  complain(failure.message);
  exitCode = failure.exitCode;
}
// Timers of the copy may be left.
process.exit(exitCode);
