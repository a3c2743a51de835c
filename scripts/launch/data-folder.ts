import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StartError } from "./say.ts";

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
}

/**
 * Makes the folder if it is not there, readable by its owner only.
 * @throws StartError when that is not possible
 */
export function openDataFolder(dir: string): DataFolder {
  const folder = {
    dir,
    database: path.join(dir, "db"),
    state: path.join(dir, "state"),
    databaseKeyFile: path.join(dir, "database-key.pem"),
    childrenFile: path.join(dir, "children"),
  };
  try {
    const isNew = !existsSync(dir);
    mkdirSync(folder.state, { recursive: true });
    if (isNew) chmodSync(dir, 0o700);
    for (const made of [folder.state, folder.database]) {
      mkdirSync(made, { recursive: true });
      chmodSync(made, 0o700);
    }
  } catch (error) {
    throw new StartError(`DATA is ${dir}, expected a writable folder (${(error as Error).message}).`);
  }
  return folder;
}

interface Secrets {
  /** Ring of signing and sealing keys: {"current":"k1","keys":{"k1":"<32 bytes in base64>"}}, as JSON text. */
  PARLEY_SECRET_KEYS: string;
  /** Token for the database: a JWT signed once, whose public key lies beside it. */
  DB_AUTH_TOKEN: string;
}

/**
 * The secrets of this instance, made at the first start and kept in `secrets.json` (mode 600).
 * The environment wins for PARLEY_SECRET_KEYS: that is how a ring is brought along from elsewhere.
 */
export function openSecrets(folder: DataFolder, env: NodeJS.ProcessEnv): Secrets {
  const file = path.join(folder.dir, "secrets.json");
  const stored = existsSync(file) ? readSecrets(file) : {};
  const secrets = { ...stored };
  secrets.PARLEY_SECRET_KEYS ??= JSON.stringify({ current: "k1", keys: { k1: randomBytes(32).toString("base64") } });
  if (secrets.DB_AUTH_TOKEN === undefined || !existsSync(folder.databaseKeyFile)) {
    secrets.DB_AUTH_TOKEN = makeDatabaseToken(folder.databaseKeyFile);
  }
  if (secrets.PARLEY_SECRET_KEYS !== stored.PARLEY_SECRET_KEYS || secrets.DB_AUTH_TOKEN !== stored.DB_AUTH_TOKEN) {
    writePrivately(file, `${JSON.stringify(secrets, null, 2)}\n`);
  }
  return {
    DB_AUTH_TOKEN: secrets.DB_AUTH_TOKEN,
    PARLEY_SECRET_KEYS: env["PARLEY_SECRET_KEYS"]?.trim() || secrets.PARLEY_SECRET_KEYS,
  };
}

function readSecrets(file: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Partial<Secrets>;
  } catch (error) {
    // Making new ones here would lock everybody out of what the old ones sealed.
    throw new StartError(
      `${file} cannot be read (${(error as Error).message}). It holds the keys of this data folder: restore it from a backup.`,
    );
  }
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
