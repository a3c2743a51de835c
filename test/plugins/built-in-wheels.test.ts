import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { builtInPackages } from "../../src/plugins/packages/built-in.ts";
import { readWheel } from "../../src/plugins/packages/read-wheel.ts";

const folder = path.join(import.meta.dirname, "../../workers/plugin-host/python/wheels");
const wheels = readdirSync(folder)
  .filter((name) => name.endsWith(".whl"))
  .map((filename) => ({ filename, bytes: readFileSync(path.join(folder, filename)) }));

it("the packages that are built in are those of the list, in their versions", () => {
  const found = wheels.map(({ filename, bytes }) => readWheel(filename, bytes));
  expect(Object.fromEntries(found.map(({ name, version }) => [name, version]))).toEqual(builtInPackages);
});

it("each has what it requires, by name", () => {
  const missing = wheels.flatMap(({ filename, bytes }) =>
    readWheel(filename, bytes)
      .index.requires.filter((each) => each.for === undefined && !(each.name in builtInPackages))
      .map((each) => `${filename}: ${each.name}`),
  );
  expect(missing).toEqual([]);
});

it("each is the file whose hash and licence stand in the list", () => {
  const list = readFileSync(path.join(folder, "README.md"), "utf8");
  for (const { filename, bytes } of wheels) {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(list).toMatch(new RegExp(`\\| ${filename.replaceAll(".", "\\.")} \\| [^|]+ \\| ${sha256} \\|`));
  }
});
