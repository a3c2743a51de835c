import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { makeBackup } from "../../../scripts/backup/make-backup.ts";
import { folderPlace } from "../../../scripts/backup/place.ts";
import { readArchive } from "../../../scripts/backup/read-archive.ts";
import { checkBackup, restoreBackup } from "../../../scripts/backup/restore-backup.ts";
import { makeDataFolder, makeFolder } from "./data-folder.ts";

const known = "0053_foreign-key-indexes";

async function backUp({
  dataDir = makeDataFolder(20_000, [known]),
  passphrase,
}: { dataDir?: string; passphrase?: string } = {}) {
  const folder = makeFolder();
  const place = folderPlace(folder);
  const made = await makeBackup({ dataDir, place, passphrase, onProgress: () => undefined });
  return { dataDir, folder, file: made.where, made };
}

test("what is restored is what was backed up, and nothing else", async () => {
  const { file, dataDir, made } = await backUp();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect([made.bytes, made.missingObjects]).toEqual([statSync(file).size, 0]);
  const restored = path.join(makeFolder(), "new");
  const manifest = await restoreBackup(file, undefined, restored);
  expect(manifest.migrations).toEqual([known]);
  const files = readdirSync(restored, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(path.join(restored, name)).isFile(),
  );
  expect(files.toSorted()).toEqual([
    "db/dbs/default/data",
    "secrets.json",
    "state/r2/miniflare-R2BucketObject/one.sqlite",
    "state/r2/parley/blobs/one",
  ]);
  expect(statSync(restored).mode & 0o777).toBe(0o700);
  for (const name of ["secrets.json", "state/r2/parley/blobs/one"])
    expect(readFileSync(path.join(restored, name))).toEqual(readFileSync(path.join(dataDir, name)));
  const noise = (folder: string) => {
    const database = new DatabaseSync(path.join(folder, "db/dbs/default/data"));
    const [row] = database.prepare("SELECT bytes FROM noise").all();
    database.close();
    return row;
  };
  expect(noise(restored)).toEqual(noise(dataDir));
});

test("any flipped bit is refused", async () => {
  const { file, folder } = await backUp();
  const bytes = readFileSync(file);
  const damaged = path.join(folder, "damaged");
  // The same places in every run: a linear congruential generator.
  let seed = 12_345;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  for (let flips = 0; flips < 1000; flips++) {
    // The first and the last bits are those of the formats.
    const place = flips < 400 ? (flips < 200 ? flips : bytes.length * 8 - (flips - 199)) : random(bytes.length * 8);
    const changed = Buffer.from(bytes);
    changed[place >> 3]! ^= 1 << (place & 7);
    writeFileSync(damaged, changed);
    await expect(readArchive(damaged, undefined), `bit ${place}`).rejects.toMatchObject({ exitCode: 65 });
  }
}, 60_000);

test("a file that was cut off, or is something else, is refused before anything is written", async () => {
  const { file } = await backUp();
  const restored = path.join(makeFolder(), "new");
  for (const size of [statSync(file).size - 1, 10_000, 41, 3, 0]) {
    truncateSync(file, size);
    await expect(restoreBackup(file, undefined, restored)).rejects.toMatchObject({ exitCode: 65 });
  }
  await expect(restoreBackup(`${file}-not-there`, undefined, restored)).rejects.toMatchObject({ exitCode: 66 });
  expect(existsSync(restored)).toBe(false);
});

test("a passphrase has to be the right one", async () => {
  const passphrase = "correct horse";
  const { file } = await backUp({ passphrase });
  expect(file).toMatch(/\.tar\.zst\.age$/);
  expect(readFileSync(file).subarray(0, 21).toString()).toBe("age-encryption.org/v1");
  expect((await checkBackup(file, passphrase)).members).toHaveLength(4);
  await expect(checkBackup(file, "wrong horse")).rejects.toMatchObject({ exitCode: 77 });
  await expect(checkBackup(file, undefined)).rejects.toMatchObject({ exitCode: 64 });
}, 60_000);

test("a backup of a newer version, and a folder that is used, are refused", async () => {
  const { file } = await backUp({ dataDir: makeDataFolder(1000, [known, "9999_from-the-future"]) });
  await expect(checkBackup(file, undefined)).rejects.toMatchObject({
    exitCode: 78,
    message: expect.stringContaining("newer version of Parley") as string,
  });
  const used = makeDataFolder();
  const before = readdirSync(used);
  await expect(restoreBackup((await backUp()).file, undefined, used)).rejects.toMatchObject({ exitCode: 73 });
  expect(readdirSync(used)).toEqual(before);
});

test("what killed runs left behind goes, and what lives stays", async () => {
  const dataDir = makeDataFolder();
  // No process has this id: Linux stops at 2^22, macOS long before.
  for (const name of [".backup-99999999", `.backup-${process.ppid}`]) mkdirSync(path.join(dataDir, name));
  await backUp({ dataDir });
  expect(readdirSync(dataDir).filter((name) => name.startsWith(".backup"))).toEqual([`.backup-${process.ppid}`]);
});

test("what the database names and nobody has is counted", async () => {
  const dataDir = makeDataFolder();
  const database = new DatabaseSync(path.join(dataDir, "db/dbs/default/data"));
  database.exec(`CREATE TABLE files (id TEXT, version INTEGER, sha256 TEXT, text_sha256 TEXT); CREATE TABLE plugin_packages (id TEXT);
    CREATE TABLE plugin_databases (object_id TEXT); INSERT INTO plugin_databases VALUES ('d');
    CREATE TABLE stored_responses (id TEXT, is_large INTEGER); CREATE TABLE message_items (chat_id TEXT, kind TEXT, data TEXT);
    INSERT INTO files VALUES ('1', 0, 'a', NULL), ('2', 3, NULL, 'b'), ('3', 1, 'c', 'c');
    INSERT INTO message_items VALUES ('c', 'tool', '{"file":{"id":"f"}}'), ('c', 'tool', '{}')`);
  database.close();
  expect((await backUp({ dataDir })).made.missingObjects).toBe(5);
});
