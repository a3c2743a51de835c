import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "../../scripts/launch/project-root.ts";
import { slowestTests } from "../../scripts/test/slowest-tests.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-report-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the slowest tests come first, by seconds, file and name; what did not run took no time", () => {
  const file = path.join(folder, "report.json");
  const assertionResults = [
    { fullName: "one", duration: 20 },
    { fullName: "two", duration: 12_345 },
    { fullName: "three", duration: null },
  ];
  const testResults = [
    { name: path.join(projectRoot, "test/a.test.ts"), assertionResults },
    { name: path.join(projectRoot, "test/b.test.ts"), assertionResults: [{ fullName: "four", duration: 1500 }] },
  ];
  writeFileSync(file, JSON.stringify({ testResults }));
  expect(slowestTests([file], 3)).toEqual([
    "  12.3 s  test/a.test.ts > two",
    "   1.5 s  test/b.test.ts > four",
    "   0.0 s  test/a.test.ts > one",
  ]);
});

test("there are none where the runner left no report", () => {
  expect(slowestTests([path.join(folder, "none.json")], 10)).toEqual([]);
});
