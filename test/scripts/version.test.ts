import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readVersion, versionWords } from "../../scripts/launch/version.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "parley-version-test-"));
  writePackage(root);
});
afterEach(() => rmSync(root, { recursive: true }));

const writePackage = (folder: string) => writeFileSync(path.join(folder, "package.json"), '{"version":"1.2.3"}');
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

test("without git and release there is no commit", async () => {
  expect(await readVersion(root)).toEqual({ version: "1.2.3", commit: null });
  writeFileSync(path.join(root, ".release-commit"), "$Format:%H$\n");
  expect(await readVersion(root)).toEqual({ version: "1.2.3", commit: null });
  expect(versionWords(await readVersion(root))).toBe("1.2.3");
});

test("a checkout says its commit, and a folder inside another checkout does not say that one", async () => {
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "First");
  const commit = git("rev-parse", "HEAD");
  expect(await readVersion(root)).toEqual({ version: "1.2.3", commit });
  expect(versionWords({ version: "1.2.3", commit })).toBe(`1.2.3 (commit ${commit.slice(0, 12)})`);
  const inner = path.join(root, "inner");
  mkdirSync(inner);
  writePackage(inner);
  expect((await readVersion(inner)).commit).toBeNull();
});

test("an archive of a commit says which one it is", async () => {
  writeFileSync(path.join(root, ".release-commit"), "$Format:%H$\n");
  writeFileSync(path.join(root, ".gitattributes"), ".release-commit export-subst\n");
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "First");
  const commit = git("rev-parse", "HEAD");
  const release = mkdtempSync(path.join(root, "release-"));
  execFileSync("sh", ["-c", `git archive HEAD | tar -x -C "${release}"`], { cwd: root });
  expect(await readVersion(release)).toEqual({ version: "1.2.3", commit });
});
