import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/launch/project-root.ts";
import { findPhysicalCss } from "../../scripts/lint/physical-css.ts";

test("styles name sides of the text, so that pages work where lines run to the left", async () => {
  const found: string[] = [];
  let files = 0;
  for await (const file of glob("src/ui/**/*.{svelte,css}", { cwd: projectRoot })) {
    files += 1;
    const source = await readFile(path.join(projectRoot, file), "utf8");
    for (const { line, text } of findPhysicalCss(file, source)) found.push(`${file}:${line} ${text}`);
  }
  expect(files).toBeGreaterThan(200);
  expect(found).toEqual([]);
});

test("finds what names a side of the screen", () => {
  const lines = (css: string): string[] => findPhysicalCss("x.css", css).map(({ text }) => text);
  expect(
    lines("a {\n  margin-left: 1px;\n  border-right-color: red;\n  left: 0;\n  text-align: right;\n  float: left;\n}"),
  ).toHaveLength(5);
  expect(lines("a {\n  padding: 0 calc(1px + 2px) 0 3px;\n  inset: 0 auto auto 0;\n}")).toHaveLength(2);
  expect(lines("a { margin-right: 1px; }")).toHaveLength(1);
  expect(lines("a {\n  background-position:\n    right 1rem center;\n}")).toHaveLength(1);
  expect(lines("a {\n  border-top-left-radius: 1px;\n}")).toHaveLength(1);
});

test("passes what goes by the text, is even, or has a reason", () => {
  const passes = (name: string, css: string): void => expect(findPhysicalCss(name, css)).toEqual([]);
  passes("x.css", "a {\n  margin-inline-start: 1px;\n  text-align: start;\n  padding: 0 calc(1px + 2px) 1px;\n}");
  passes("x.css", "a {\n  inset: 0 1px 2px 1px;\n  grid-template-areas: left;\n}");
  passes("x.css", "a {\n  /* physical: placed by a script. */\n  left: 0;\n}");
  passes("x.svelte", "<script>\nconst place = {\n  left: 1,\n};\n</script>\n<style>\na {\n  top: 0;\n}\n</style>");
  expect(findPhysicalCss("x.svelte", "<style>\na {\n  left: 0;\n}\n</style>")).toEqual([{ line: 3, text: "left: 0;" }]);
});
