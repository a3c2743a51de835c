import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hashSources } from "../../scripts/launch/source-hash.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "parley-hash-test-"));
  mkdirSync(path.join(root, "src/ui"), { recursive: true });
  for (const file of ["lock.json", "src/a.ts", "src/ui/b.ts"]) writeFileSync(path.join(root, file), file);
});
afterEach(() => rmSync(root, { recursive: true }));

const hash = (takes = (_file: string) => true, extra = "") =>
  hashSources(root, ["lock.json", "src", "absent"], takes, extra);

describe("the hash of sources", () => {
  test("stays when nothing changes but times", () => {
    const before = hash();
    utimesSync(path.join(root, "src/a.ts"), 1, 1);
    expect(hash()).toBe(before);
    expect(before).toMatch(/^[0-9a-f]{16}$/);
  });

  test("leaves out what wrangler writes while it builds", () => {
    const before = hash();
    mkdirSync(path.join(root, "src/.wrangler/tmp"), { recursive: true });
    writeFileSync(path.join(root, "src/.wrangler/tmp/bundle.js"), "");
    expect(hash()).toBe(before);
  });

  test("changes with a content, a name, a new file and what is added", () => {
    const seen = [hash(), hash(undefined, "more")];
    writeFileSync(path.join(root, "src/ui/b.ts"), "other");
    seen.push(hash());
    renameSync(path.join(root, "src/a.ts"), path.join(root, "src/c.ts"));
    seen.push(hash());
    writeFileSync(path.join(root, "src/ui/new.ts"), "");
    seen.push(hash());
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("leaves out what does not count", () => {
    const withoutUi = (file: string) => !file.startsWith("src/ui/");
    const before = hash(withoutUi);
    writeFileSync(path.join(root, "src/ui/b.ts"), "other");
    expect(hash(withoutUi)).toBe(before);
  });
});
