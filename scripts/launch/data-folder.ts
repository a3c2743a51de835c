import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import { checkKeyRing } from "./launch-options.ts";
import { kindOf, StartError } from "./start-error.ts";

/** Where an instance keeps its things. */
export interface DataFolder {
  dir: string;
  /** sqld's files. */
  database: string;
  /** Durable Objects and object storage. */
  state: string;
  /** Public key with which sqld checks tokens. */
  databaseKeyFile: string;
  /** Process ids of the children of the instance that runs, one a line. */
  childrenFile: string;
  /** There while new keys are to take the place of lost ones: until the database knows them. */
  newKeysFile: string;
}

/** What a start may write before it serves, with room to spare: the database grows by some megabytes when it is migrated. */
const minFreeBytes = 2 ** 24;

/**
 * Makes the folder if it is not there, readable by its owner only, and tries to write in it.
 * @throws StartError when that is not possible
 */
export function openDataFolder(dir: string): DataFolder {
  const folder = {
    dir,
    database: path.join(dir, "db"),
    state: path.join(dir, "state"),
    databaseKeyFile: path.join(dir, "database-key.pem"),
    childrenFile: path.join(dir, "children"),
    newKeysFile: path.join(dir, "new-keys"),
  };
  try {
    for (const made of [dir, folder.state, folder.database]) makeFolder(made);
    for (const made of [folder.state, folder.database]) chmodSync(made, 0o700);
    const probe = path.join(dir, `.written-by-${process.pid}`);
    writeFileSync(probe, Buffer.alloc(4096), { flush: true });
    rmSync(probe);
  } catch (error) {
    throw isDiskFull(error) ? fullDisk(dir) : unusable(dir, error as Error);
  }
  const { bavail, bsize } = statfsSync(dir);
  if (bavail * bsize < minFreeBytes) throw fullDisk(dir);
  return folder;
}

function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");
}

function fullDisk(dir: string): StartError {
  return new StartError(
    `The disk of DATA is full: a start needs ${minFreeBytes / 2 ** 20} MB in ${dir}. Make room, or set DATA to a folder on another disk.`,
    "inputOutput",
  );
}

function unusable(dir: string, error: Error): StartError {
  const advice = "Give it to the user who starts Parley, or set DATA to another folder.";
  return new StartError(
    `DATA is ${dir}, expected a writable folder (${error.message}). ${advice}`,
    kindOf(error, "cannotCreate"),
  );
}

/** Not `recursive`: where a system says ENOENT for what may not be made, as in /proc, Node would try for ever. */
function makeFolder(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = path.dirname(dir);
  if (parent !== dir) makeFolder(parent);
  mkdirSync(dir, { mode: 0o700 });
}

export interface Secrets {
  /** Ring of signing and sealing keys: {"current":"k1","keys":{"k1":"<32 bytes in base64>"}}, as JSON text. */
  PARLEY_SECRET_KEYS: string;
  /** Token for the database: a JWT signed once, whose public key lies beside it. */
  DB_AUTH_TOKEN: string;
}

/**
 * The secrets of this instance, made at the first start and kept in `secrets.json` (mode 600).
 * The environment wins for PARLEY_SECRET_KEYS: that is how a ring is brought along from elsewhere.
 * @param newKeys make a new ring for a database whose own one is lost
 * @throws StartError when the ring of a database that is there is missing: a new one would open nothing in it
 */
export function openSecrets(folder: DataFolder, env: NodeJS.ProcessEnv, newKeys = false): Secrets {
  const file = path.join(folder.dir, "secrets.json");
  const stored = existsSync(file) ? readSecrets(file) : undefined;
  const given = env["PARLEY_SECRET_KEYS"]?.trim() || undefined;
  const there = given ?? stored?.PARLEY_SECRET_KEYS;
  const isUsed = readdirSync(folder.database).length > 0;
  if (there !== undefined && newKeys) {
    throw new StartError(
      `--new-keys is for a database whose keys are lost, and ${given === undefined ? file : "PARLEY_SECRET_KEYS"} has keys. Start without it.`,
      "usage",
    );
  }
  if (there === undefined && isUsed && !newKeys) {
    throw new StartError(
      `The keys of the database in ${folder.dir} are missing: ${file} ${stored === undefined ? "is not there" : "has none"}, and PARLEY_SECRET_KEYS is not set. Restore that file from a backup. If there is none: npm start -- --new-keys makes new keys. Everyone then has to sign in again, and you have to enter the keys of providers, tokens and secrets again.`,
      "noInput",
    );
  }
  if (there === undefined && isUsed) writePrivately(folder.newKeysFile, "");
  const secrets = {
    ...stored,
    DB_AUTH_TOKEN: stored?.DB_AUTH_TOKEN,
    PARLEY_SECRET_KEYS: there ?? makeRing(isUsed ? `k${Date.now().toString(36)}` : "k1"),
  };
  if (given === undefined) checkKeyRing(secrets.PARLEY_SECRET_KEYS, `PARLEY_SECRET_KEYS in ${file}`);
  if (secrets.DB_AUTH_TOKEN === undefined || !existsSync(folder.databaseKeyFile))
    secrets.DB_AUTH_TOKEN = makeDatabaseToken(folder.databaseKeyFile);
  const kept = {
    ...secrets,
    PARLEY_SECRET_KEYS: given === undefined ? secrets.PARLEY_SECRET_KEYS : stored?.PARLEY_SECRET_KEYS,
  };
  if (kept.PARLEY_SECRET_KEYS !== stored?.PARLEY_SECRET_KEYS || kept.DB_AUTH_TOKEN !== stored?.DB_AUTH_TOKEN)
    writePrivately(file, `${JSON.stringify(kept, null, 2)}\n`);
  return { DB_AUTH_TOKEN: secrets.DB_AUTH_TOKEN, PARLEY_SECRET_KEYS: secrets.PARLEY_SECRET_KEYS };
}

/** A ring as it is stored. */
export interface StoredRing {
  current: string;
  keys: Record<string, string>;
}

/**
 * Changes the stored ring. A service that runs keeps the old one until its next start.
 * @returns the name of the current key
 * @throws StartError when the ring is not kept here
 */
export function replaceRing(dataDir: string, change: (ring: StoredRing) => StoredRing): string {
  const file = path.join(dataDir, "secrets.json");
  const stored = existsSync(file) ? readSecrets(file) : undefined;
  if (stored?.PARLEY_SECRET_KEYS === undefined)
    throw new StartError(`${file} has no keys. If PARLEY_SECRET_KEYS is set elsewhere, change it there.`, "noInput");
  checkKeyRing(stored.PARLEY_SECRET_KEYS, `PARLEY_SECRET_KEYS in ${file}`);
  const ring = change(JSON.parse(stored.PARLEY_SECRET_KEYS) as StoredRing);
  writePrivately(file, `${JSON.stringify({ ...stored, PARLEY_SECRET_KEYS: JSON.stringify(ring) }, null, 2)}\n`);
  return ring.current;
}

/** Lost keys had another name, so that what they sealed is told from what is damaged. */
function makeRing(name: string): string {
  return JSON.stringify({ current: name, keys: { [name]: randomBytes(32).toString("base64") } });
}

function readSecrets(file: string): Partial<Secrets> {
  const unreadable = (reason: string) =>
    // Making new ones here would lock everybody out of what the old ones sealed.
    new StartError(
      `${file} cannot be read (${reason}). It holds the keys of this data folder: restore it from a backup.`,
      "noInput",
    );
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw unreadable((error as Error).message);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw unreadable("it is not a JSON object");
  const wrong = Object.entries(value).find(([, secret]) => typeof secret !== "string" || secret === "");
  if (wrong !== undefined) throw unreadable(`${wrong[0]} is not a text`);
  return value as Partial<Secrets>;
}

/** Signs a token with a key pair of which only the public half is kept: nobody can make a second token. */
function makeDatabaseToken(publicKeyFile: string): string {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ alg: "EdDSA", typ: "JWT" })}.${encode({ a: "rw" })}`;
  const token = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
  writePrivately(publicKeyFile, publicKey.export({ type: "spki", format: "pem" }).toString());
  return token;
}

/** Written beside and renamed, so that a crash leaves the old file or the new one, never half of one. */
function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
