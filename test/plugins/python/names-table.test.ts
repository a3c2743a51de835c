import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../../..");
const standIns = path.join(root, "workers/plugin-host/python/stand-ins/open_webui");

/** Modules that are there, as the table names them. */
const there = readdirSync(standIns, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".py") && !/(^|\/)_/.test(file))
  .map((file) => file.slice(0, -3).replaceAll("/", "."))
  .sort();

/** Rows of the table in the documentation: the names in its first cell, and how far they are given. */
const rows = readFileSync(path.join(root, "docs/plugins.md"), "utf8")
  .split("\n")
  .map((line) => /^\| (.+?) \| (given|partly|refused) \|/.exec(line))
  .flatMap((match) =>
    match ? [{ names: [...match[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!), how: match[2]! }] : [],
  );

test("the documentation names exactly the modules of Open WebUI that are there", () => {
  const named = rows.filter(({ how }) => how !== "refused").flatMap(({ names }) => names);
  expect(named.filter((name) => !name.startsWith("__")).sort()).toEqual(there);
});

test("and none of those that it says are refused", () => {
  const refused = rows.filter(({ how }) => how === "refused").flatMap(({ names }) => names);
  expect(refused.length).toBeGreaterThan(5);
  expect(refused.filter((name) => there.includes(name))).toEqual([]);
});
