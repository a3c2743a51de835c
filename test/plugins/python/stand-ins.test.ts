import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWheel } from "../../../src/plugins/packages/read-wheel.ts";
import type { PluginPackage } from "../../../src/plugins/plugin-host.ts";
import { type PythonHost, startPythonHost } from "./python-host.ts";

let host: PythonHost;

beforeAll(async () => {
  host = await startPythonHost();
}, 120_000);

afterAll(() => host.stop());

const fixtures = path.join(import.meta.dirname, "../../fixtures/plugins");
const checks = (name: string) => readFileSync(path.join(fixtures, "python-checks", `${name}.py`), "utf8");
const methodsOf = (source: string) => [...source.matchAll(/^ {4}def (\w+)\(self/gm)].map(([, name]) => name ?? "");
const reserved = {
  __request__: { url: "https://chat.example/api/x?q=2", headers: { "x-custom": "1" }, body: { a: 1 } },
};
/** What a check complains of; empty where nothing is wrong. */
const complaint = async (source: string, method: string, packages: PluginPackage[] = []) => {
  const result = await host.call(source, method, {}, { packages, reserved });
  return result.ok ? "" : (result.logs.at(-1)?.text ?? result.error.message);
};

describe("what stands in for pydantic", { timeout: 60_000 }, () => {
  const source = checks("pydantic_checks");
  it.each(methodsOf(source))("%s", async (method) => {
    expect(await complaint(source, method)).toBe("");
  });
});

describe("the real pydantic, by the same tests", { timeout: 60_000 }, () => {
  const folder = path.join(fixtures, "wheels");
  const packages = readdirSync(folder)
    .filter((name) => name.endsWith(".whl"))
    .map((filename): PluginPackage => {
      const [name = "", version = ""] = filename.split("-");
      const bytes = readFileSync(path.join(folder, filename));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return { name, version, filename, sha256, contents: readWheel(filename, bytes).index, bytes: async () => bytes };
    });
  const source = checks("pydantic_checks");
  it.each(methodsOf(source))("%s", async (method) => {
    expect(await complaint(source, method, packages)).toBe("");
  });
});

describe("what stands in for other packages", { timeout: 60_000 }, () => {
  const source = checks("other_checks");
  it.each(methodsOf(source))("%s", async (method) => {
    expect(await complaint(source, method)).toBe("");
  });
});
