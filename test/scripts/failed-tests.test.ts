import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/launch/project-root.ts";
import { errorsBeside, failures, filesToRunAgain } from "../../scripts/test/failed-tests.ts";

test("failed tests, files that cannot be loaded and errors outside tests are told with the beginning of their reasons", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "parley-failed-tests-"));
  try {
    const report = path.join(folder, "stack.json");
    const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
    await writeFile(
      report,
      JSON.stringify({
        testResults: [
          {
            name: path.join(projectRoot, "test/a.test.ts"),
            status: "failed",
            message: "",
            assertionResults: [
              { fullName: "a works", status: "passed", failureMessages: [] },
              { fullName: "a fails", status: "failed", failureMessages: ["expected 1 to be 2"] },
              { fullName: "a fails at length", status: "failed", failureMessages: [long] },
            ],
          },
          {
            name: path.join(projectRoot, "test/b.test.ts"),
            status: "failed",
            message: "no such file",
            assertionResults: [],
          },
          { name: path.join(projectRoot, "test/c.test.ts"), status: "passed", message: "", assertionResults: [] },
        ],
      }),
    );
    await writeFile(
      errorsBeside(report),
      JSON.stringify([`${path.join(projectRoot, "test/d.test.ts")} > reads\nError: aborted\n    at socket`]),
    );
    const told = failures([report, path.join(folder, "missing.json")]);
    expect(told[0]).toBe("  test/a.test.ts > a fails\n      expected 1 to be 2");
    expect(told[1]).toContain("line 11");
    expect(told[1]).not.toContain("line 12");
    expect(told.slice(2)).toEqual([
      "  test/b.test.ts\n      no such file",
      "  Outside tests: test/d.test.ts > reads\n      Error: aborted\n          at socket",
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("files run again where few failed, and nothing failed outside of tests", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "parley-failed-tests-"));
  try {
    const report = path.join(folder, "node.json");
    const files = ["a", "b", "c"].map((name) => ({
      name: `/test/${name}.test.ts`,
      status: name === "b" ? "passed" : "failed",
      message: "",
      assertionResults: [],
    }));
    await writeFile(report, JSON.stringify({ testResults: files }));
    expect(filesToRunAgain([report], 2)).toEqual(["/test/a.test.ts", "/test/c.test.ts"]);
    expect(filesToRunAgain([report], 1)).toEqual([]);
    expect(filesToRunAgain([report, path.join(folder, "of-a-crash.json")], 2)).toEqual([]);
    await writeFile(errorsBeside(report), JSON.stringify(["test/d.test.ts > reads\nError: aborted"]));
    expect(filesToRunAgain([report], 2)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
