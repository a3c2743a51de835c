import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { projectRoot } from "../../../scripts/launch/project-root.ts";
import { billOfMaterials } from "../../../scripts/package/bill-of-materials.ts";
import { type LockedPackages, withDependencies } from "../../../scripts/package/locked-packages.ts";
import { findSourceFiles } from "../../../scripts/package/source-files.ts";

describe("the files of a program", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "parley-files-"));
    mkdirSync(path.join(folder, "tools"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);

  test("are those that it imports or starts, without types", () => {
    write(
      "main.ts",
      'import { a } from "./tools/a.ts";\nimport type { T } from "./types.ts";\nspawn("tools/child.ts");\n',
    );
    write(
      "tools/a.ts",
      'import { readFileSync } from "node:fs";\nimport { z } from "zod/mini";\nawait import("./b.ts");\n',
    );
    write(
      "tools/b.ts",
      'export * from "@scope/name/deep";\nimport "../main.ts";\nspawn(path.join(here, "guard.sh"));\n',
    );
    write("tools/child.ts", 'import { x } from "left-out";\n');
    write("tools/guard.sh", "exec true\n");
    write("types.ts", 'import { big } from "big";\n');
    expect(findSourceFiles(folder, ["main.ts"], new Set(["tools/child.ts"]))).toEqual({
      files: ["main.ts", "tools/a.ts", "tools/b.ts", "tools/guard.sh"],
      packages: new Set(["zod", "@scope/name"]),
    });
  });

  test("of the launcher need few packages", () => {
    const { packages } = findSourceFiles(
      projectRoot,
      ["scripts/launch.ts"],
      new Set([
        "vite.config.ts",
        "scripts/launch/build-child.ts",
        "scripts/launch/dev-server.ts",
        "scripts/launch/build-python-assets.ts",
      ]),
    );
    const { dependencies } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    // npm ci --omit=dev has to be enough.
    expect([...packages].filter((name) => !(name in dependencies))).toEqual([]);
  });
});

describe("the packages of a release", () => {
  const locked: LockedPackages = {
    "node_modules/a": { version: "1.0.0", license: "MIT", dependencies: { b: "2", c: "1" } },
    "node_modules/a/node_modules/b": {
      version: "2.0.0",
      license: "(MIT OR Apache-2.0)",
      optionalDependencies: { d: "1" },
    },
    "node_modules/b": { version: "1.0.0" },
    "node_modules/c": {
      version: "1.0.0",
      peerDependencies: { b: "1", e: "1" },
      peerDependenciesMeta: { e: { optional: true } },
    },
    "node_modules/d": { version: "1.0.0", integrity: "sha512-AAEC", dependencies: { a: "1" } },
    "node_modules/e": { version: "1.0.0" },
  };

  test("are found where npm puts them, each once", () => {
    expect(withDependencies(locked, ["a"])).toEqual([
      "node_modules/a",
      "node_modules/a/node_modules/b",
      "node_modules/b",
      "node_modules/c",
      "node_modules/d",
    ]);
    expect(withDependencies(locked, ["a"], new Set(["c", "d"]))).toEqual([
      "node_modules/a",
      "node_modules/a/node_modules/b",
    ]);
    expect(withDependencies(locked, ["unknown"])).toEqual([]);
  });

  test("are listed with version, licence and hash", () => {
    const bill = billOfMaterials("1.2.3", locked, ["node_modules/a/node_modules/b", "node_modules/d"]);
    expect(bill).toMatchObject({
      bomFormat: "CycloneDX",
      metadata: { component: { name: "parley", version: "1.2.3" } },
      components: [
        { name: "b", version: "2.0.0", purl: "pkg:npm/b@2.0.0", licenses: [{ expression: "(MIT OR Apache-2.0)" }] },
        { name: "d", hashes: [{ alg: "SHA-512", content: "000102" }] },
      ],
    });
  });
});
