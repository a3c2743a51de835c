import path from "node:path";
import process from "node:process";
import { readPassphrase } from "./backup/read-passphrase.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say } from "./launch/say.ts";
import { explainFailure, StartError } from "./launch/start-error.ts";

/** npm run restore -- FILE: restores a backup into DATA, which must be empty or not there. */
ignoreClosedOutput();
try {
  const [file, ...others] = process.argv.slice(2);
  if (file === undefined || others.length > 0) throw new StartError("Name the file of a backup.", "usage");
  const dataDir = path.resolve(projectRoot, process.env["DATA"]?.trim() || ".data");
  const { moment, version } = await restoreBackup(path.resolve(file), readPassphrase(process.env), dataDir);
  say(`Restored the backup of ${moment} (Parley ${version}) to ${dataDir}.`);
} catch (error) {
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  complain(failure.message);
  process.exitCode = failure.exitCode;
}
