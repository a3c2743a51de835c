import { createPublicKey, verify } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDataFolder, openSecrets } from "../../scripts/launch/data-folder.ts";
import { parseKeyRing } from "../../src/lib/key-ring.ts";

let parent: string;
beforeEach(() => (parent = mkdtempSync(path.join(tmpdir(), "parley-data-test-"))));
afterEach(() => rmSync(parent, { recursive: true }));
const ring = JSON.stringify({ current: "own", keys: { own: Buffer.alloc(32, 1).toString("base64") } });
const open = () => openDataFolder(path.join(parent, "some", "where"));

describe("a data folder", () => {
  test("is made for its owner only", () => {
    const folder = open();
    for (const made of [folder.dir, folder.database, folder.state]) expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  test("gets secrets once, for its owner only, that the service understands", () => {
    const folder = open();
    const secrets = openSecrets(folder, {});
    expect(parseKeyRing(secrets.PARLEY_SECRET_KEYS).current).toBe("k1");
    expect(statSync(path.join(folder.dir, "secrets.json")).mode & 0o777).toBe(0o600);
    expect(openSecrets(open(), {})).toEqual(secrets);
    expect(openSecrets(openDataFolder(path.join(parent, "other")), {})).not.toEqual(secrets);
  });

  test("has a database token that the key beside it confirms", () => {
    const folder = open();
    const [header = "", payload = "", signature = ""] = openSecrets(folder, {}).DB_AUTH_TOKEN.split(".");
    const key = createPublicKey(readFileSync(folder.databaseKeyFile));
    expect(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"))).toBe(true);
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toEqual({ a: "rw" });
  });

  test("gets a new token with a new key when the key is lost, and keeps the ring", () => {
    const folder = open();
    const before = openSecrets(folder, {});
    rmSync(folder.databaseKeyFile);
    const after = openSecrets(folder, {});
    expect(after.DB_AUTH_TOKEN).not.toBe(before.DB_AUTH_TOKEN);
    expect(after.PARLEY_SECRET_KEYS).toBe(before.PARLEY_SECRET_KEYS);
    expect(openSecrets(folder, {})).toEqual(after);
  });

  test("leaves the ring to the environment without writing it down", () => {
    const folder = open();
    const own = openSecrets(folder, {});
    expect(openSecrets(folder, { PARLEY_SECRET_KEYS: "given" }).PARLEY_SECRET_KEYS).toBe("given");
    expect(openSecrets(folder, { PARLEY_SECRET_KEYS: " " })).toEqual(own);
    expect(readFileSync(path.join(folder.dir, "secrets.json"), "utf8")).not.toContain("given");
  });

  test("does not keep a ring that it does not need", () => {
    const folder = open();
    openSecrets(folder, { PARLEY_SECRET_KEYS: ring });
    expect(readFileSync(path.join(folder.dir, "secrets.json"), "utf8")).not.toContain("SECRET_KEYS");
  });

  test("with a database and no ring stops the start, and makes a new one only when asked to", () => {
    const folder = open();
    openSecrets(folder, {});
    mkdirSync(path.join(folder.database, "dbs"));
    rmSync(path.join(folder.dir, "secrets.json"));
    expect(() => openSecrets(folder, {})).toThrow(/secrets\.json is not there, .* Restore that file from a backup/);
    expect(existsSync(path.join(folder.dir, "secrets.json"))).toBe(false);
    openSecrets(folder, { PARLEY_SECRET_KEYS: ring });
    expect(() => openSecrets(folder, {})).toThrow(/secrets\.json has none, and PARLEY_SECRET_KEYS is not set/);
    expect(existsSync(folder.newKeysFile)).toBe(false);
    const made = openSecrets(folder, {}, true);
    expect(parseKeyRing(made.PARLEY_SECRET_KEYS).current).not.toBe("k1");
    expect(existsSync(folder.newKeysFile)).toBe(true);
    expect(openSecrets(folder, {})).toEqual(made);
    expect(() => openSecrets(folder, {}, true)).toThrow(/--new-keys is for a database whose keys are lost/);
  });

  test.each(["[]", '"text"', '{"DB_AUTH_TOKEN": 1}', '{"PARLEY_SECRET_KEYS": ""}', '{"PARLEY_SECRET_KEYS": "{}"}'])(
    "with secrets that are %s stops the start",
    (text) => {
      const folder = open();
      writeFileSync(path.join(folder.dir, "secrets.json"), text);
      expect(() => openSecrets(folder, {})).toThrow(/secrets\.json/);
    },
  );

  test("that cannot be made is said, also where the system claims that its parent is not there", () => {
    expect(() => openDataFolder("/dev/null/parley")).toThrow(
      /^DATA is \/dev\/null\/parley, expected a writable folder/,
    );
    const claimed = process.platform === "linux" ? "/proc/parley/data" : "/dev/null/parley/data";
    expect(() => openDataFolder(claimed)).toThrow(/expected a writable folder/);
  });

  test("with damaged secrets stops the start instead of making new ones", () => {
    const folder = open();
    writeFileSync(path.join(folder.dir, "secrets.json"), "{");
    expect(() => openSecrets(folder, {})).toThrow(/secrets\.json cannot be read .* restore it from a backup/);
  });
});
