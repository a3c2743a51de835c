import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type Backup, makeBackup, openPlace } from "./backup/make-backup.ts";
import { folderPlace } from "./backup/place.ts";
import { megabytes, progressLine, seconds } from "./backup/progress.ts";
import { readPassphrase } from "./backup/read-passphrase.ts";
import { readRetention } from "./backup/retention.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say } from "./launch/say.ts";
import { explainFailure, StartError } from "./launch/start-error.ts";

/** What the launcher is told: how far it is, from 0 to 1, or how it ended. */
export type BackupNews = { part: number } | { made: Backup } | { failed: string };

/**
 * npm run backup -- FILE | --to FOLDER | --to s3://BUCKET/PREFIX [--keep "7 daily, 4 weekly"]: backs up DATA, also while the service runs.
 * The launcher starts it for BACKUP_SCHEDULE, and is told of its progress.
 */
ignoreClosedOutput();
const usage = "Name a file, or a place with --to: a folder, or s3://BUCKET/PREFIX.";

function readCall() {
  try {
    const options = { to: { type: "string" }, keep: { type: "string" } } as const;
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new StartError(`${(error as Error).message}. ${usage}`, "usage");
  }
}

async function readTarget() {
  const { values, positionals } = readCall();
  const [file, ...others] = positionals;
  if (others.length > 0 || (file === undefined) === (values.to === undefined)) throw new StartError(usage, "usage");
  const keep = values.keep === undefined ? undefined : readRetention(values.keep);
  if (values.to !== undefined) return { place: await openPlace(values.to, process.env), keep };
  const { dir, base } = path.parse(path.resolve(file!));
  return { place: folderPlace(dir), name: base, keep };
}

/** The launcher may have gone. */
function tell(news: BackupNews): void {
  if (process.connected) process.send!(news, () => undefined);
}

const line = progressLine("Backing up");
try {
  const dataDir = path.resolve(projectRoot, process.env["DATA"]?.trim() || ".data");
  const made = await makeBackup({
    dataDir,
    ...(await readTarget()),
    passphrase: readPassphrase(process.env),
    onProgress(part) {
      line.show(part);
      tell({ part });
    },
  });
  line.end();
  tell({ made });
  say(`Backed up ${dataDir} to ${made.where} (${megabytes(made.bytes)}, ${seconds(made.durationMs)}).`);
  if (made.missingObjects > 0)
    complain(`${made.missingObjects} files of people were missing in ${dataDir} already: they are not in the backup.`);
  if (process.env["PARLEY_SECRET_KEYS"])
    complain("The keys in PARLEY_SECRET_KEYS are not in the backup. Keep them in another safe place.");
} catch (error) {
  line.end();
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  tell({ failed: failure.message });
  complain(failure.message);
  process.exitCode = failure.exitCode;
}
if (process.connected) process.disconnect();
