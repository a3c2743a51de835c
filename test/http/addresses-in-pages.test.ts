import { globSync, readFileSync } from "node:fs";
import { parse } from "svelte/compiler";
import { expect, test } from "vitest";

/** Attributes of HTML elements, which the browser asks for by itself; components put their `href` through `at` where they use it. */
const attributes = new Set(["href", "src", "action", "poster", "data"]);
/** Addresses below BASE_PATH, in the page, or of mail. */
const good = /^\w+=(?:\{(?:at|inApp)\(|"#|"mailto:|\{`#)/;

interface Node {
  type?: string;
  name?: string;
  start?: number;
  end?: number;
  [key: string]: unknown;
}

function* elements(value: unknown): Generator<Node> {
  if (typeof value !== "object" || value === null) return;
  if ((value as Node).type === "RegularElement") yield value as Node;
  for (const each of Object.values(value)) yield* elements(each);
}

test("every address in a page is below BASE_PATH", () => {
  const bare = globSync("src/ui/**/*.svelte").flatMap((file) => {
    const source = readFileSync(file, "utf8");
    const found = [...elements(parse(source, { modern: true }).fragment)];
    return found
      .flatMap((element) => element["attributes"] as Node[])
      .filter(({ type, name = "" }) => type === "Attribute" && attributes.has(name))
      .map(({ start, end }) => source.slice(start, end))
      .filter((text) => !good.test(text))
      .map((text) => `${file}: ${text}`);
  });
  expect(bare).toEqual([]);
});
