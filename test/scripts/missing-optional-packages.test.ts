import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { missingOptionalPackages, type LockedPackages } from "../../scripts/lock/missing-optional-packages.ts";

describe("optional packages that a lock file lacks", () => {
  test("are found with the platform their name says", () => {
    const packages: LockedPackages = {
      "node_modules/tool": {
        dev: true,
        optionalDependencies: { "@tool/darwin-64": "1.2.3", "@tool/linux-x64-musl": "1.2.3", "tool-helper": "^2.0.0" },
      },
    };
    expect(missingOptionalPackages(packages)).toEqual({
      "node_modules/@tool/darwin-64": { version: "1.2.3", os: ["darwin"], cpu: ["x64"], dev: true, optional: true },
      "node_modules/@tool/linux-x64-musl": { version: "1.2.3", os: ["linux"], cpu: ["x64"], dev: true, optional: true },
      "node_modules/tool-helper": { version: "2.0.0", os: ["none"], dev: true, optional: true },
    });
  });

  test("are looked for where Node would find them", () => {
    const packages: LockedPackages = {
      "node_modules/a/node_modules/b": { optionalDependencies: { own: "1.0.0", beside: "1.0.0", above: "1.0.0" } },
      "node_modules/a/node_modules/b/node_modules/own": {},
      "node_modules/a/node_modules/beside": {},
      "node_modules/above": {},
    };
    expect(missingOptionalPackages(packages)).toEqual({});
    expect(
      Object.keys(
        missingOptionalPackages({ ...packages, "node_modules/c": { optionalDependencies: { beside: "1.0.0" } } }),
      ),
    ).toEqual(["node_modules/beside"]);
  });

  test("are none in this project's lock file: run `npm run lock:fix` after a change", () => {
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: LockedPackages };
    expect(missingOptionalPackages(packages)).toEqual({});
  });
});
