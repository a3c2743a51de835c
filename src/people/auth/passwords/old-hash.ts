/** The most work that one check may take: what fits into the memory and the time limit of the worker that checks. */
const maxBcryptCost = 13;
const maxMemory = 65_536;
const maxMemoryTimesPasses = 3 * maxMemory;
const maxLanes = 16;

const bcryptForm = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const argon2Form =
  /^\$argon2(i|id)\$(?:v=(16|19)\$)?m=(\d{1,9}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,172})$/;

export interface Argon2Hash {
  type: "i" | "id";
  version: number;
  /** KiB. */
  memory: number;
  passes: number;
  lanes: number;
  /** Base64 without padding. */
  salt: string;
  hash: string;
}

/** A hash by argon2i or argon2id in its usual text form; undefined for anything else. */
export function parseArgon2(stored: string): Argon2Hash | undefined {
  const match = argon2Form.exec(stored);
  if (!match) return undefined;
  const [, type, version, memory, passes, lanes, salt, hash] = match;
  return {
    type: type as "i" | "id",
    version: Number(version ?? 16),
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    salt: salt!,
    hash: hash!,
  };
}

/** Whether this is a hash of another product, by bcrypt or argon2, that can be checked here. */
export function isOldHash(stored: string): boolean {
  const bcrypt = bcryptForm.exec(stored);
  if (bcrypt) return Number(bcrypt[1]) >= 4 && Number(bcrypt[1]) <= maxBcryptCost;
  const argon2 = parseArgon2(stored);
  if (!argon2) return false;
  const { memory, passes, lanes } = argon2;
  return (
    passes >= 1 &&
    lanes >= 1 &&
    lanes <= maxLanes &&
    memory >= 8 * lanes &&
    memory <= maxMemory &&
    memory * passes <= maxMemoryTimesPasses
  );
}
