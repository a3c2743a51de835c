import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
const complaint = async (source: string, method: string) => {
  const result = await host.call(source, method, {}, { reserved });
  return result.ok ? "" : (result.logs.at(-1)?.text ?? result.error.message);
};

describe("pydantic", { timeout: 60_000 }, () => {
  const source = checks("pydantic_checks");
  it.each(methodsOf(source))("%s", async (method) => {
    expect(await complaint(source, method)).toBe("");
  });
});

describe("what stands in for other packages", { timeout: 60_000 }, () => {
  const source = checks("other_checks");
  it.each(methodsOf(source))("%s", async (method) => {
    expect(await complaint(source, method)).toBe("");
  });
});
