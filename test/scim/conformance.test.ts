import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const folder = import.meta.dirname;
const rows = readFileSync(path.join(folder, "conformance.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (Source|---)/.test(line));

describe("the conformance table", () => {
  it("names tests that exist", () => {
    const sources = new Map<string, string>();
    const source = (file: string) => {
      const text = sources.get(file) ?? readFileSync(path.join(folder, file), "utf8");
      sources.set(file, text);
      return text;
    };
    const wrong = rows.filter((row) => {
      const match = /\| `([\w./-]+\.test\.ts)` "(.+)" \|$/.exec(row);
      return !match || !source(match[1]!).includes(JSON.stringify(match[2]));
    });
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(80);
  });
});
