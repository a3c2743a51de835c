import { readFileSync } from "node:fs";
import { StartError } from "../launch/start-error.ts";

const minLength = 8;

/**
 * The passphrase from BACKUP_PASSPHRASE_FILE or BACKUP_PASSPHRASE; undefined without one.
 * @throws StartError
 */
export function readPassphrase(env: NodeJS.ProcessEnv): string | undefined {
  const file = env["BACKUP_PASSPHRASE_FILE"]?.trim();
  const name = file ? "BACKUP_PASSPHRASE_FILE" : "BACKUP_PASSPHRASE";
  const passphrase = file ? readPassphraseFile(file) : env["BACKUP_PASSPHRASE"];
  if (!file && !passphrase) return undefined;
  if (passphrase!.length < minLength)
    throw new StartError(`${name} is "...", expected at least ${minLength} characters.`, "configuration");
  return passphrase;
}

function readPassphraseFile(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(
      `BACKUP_PASSPHRASE_FILE is "${file}", expected a file with a passphrase (${message}).`,
      "configuration",
    );
  }
}
