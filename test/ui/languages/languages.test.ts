import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { compareLanguage, englishTexts, textsIn, translations } from "../../../scripts/texts/compare-languages.ts";
import { definitions } from "../../../src/compose/settings.ts";
import type { Definition } from "../../../src/settings/definition.ts";
import { plurals } from "../../../src/ui/languages/plurals.ts";
import type { SettingWords } from "../../../src/ui/languages/setting-words.ts";
import { chooseLanguage, languages } from "../../../src/ui/lib/language.ts";

const folder = path.resolve(import.meta.dirname, "../../../src/ui/languages");

describe("the language of the page", () => {
  it.each([
    ["what the person chose", "fr", ["de-AT"], "fr"],
    ["the browser's first one", null, ["de-AT", "fr"], "de"],
    ["the first one that the UI has", null, ["nl", "ja-JP", "de"], "ja"],
    ["another region of it", null, ["pt-PT"], "pt-BR"],
    ["the same script", null, ["zh-SG"], "zh-CN"],
    ["not another script", null, ["zh-TW"], "en"],
    ["English before what is preferred less", null, ["en-GB", "de"], "en"],
    ["English without any", null, [], "en"],
    ["English for tags that are not valid", null, ["x", "_", ""], "en"],
    ["the browser's for a choice that is gone", "tlh", ["es-MX"], "es"],
    ["the browser's for names that objects have", "constructor", ["es-MX"], "es"],
  ] as const)("is %s", (_, chosen, preferred, expected) => {
    expect(chooseLanguage(chosen, preferred)).toBe(expected);
  });
});

it("plurals follow the rules of the language", () => {
  const forms = { zero: "zero", one: "one", two: "two", few: "# few", many: "# many", other: "# other" };
  expect([0, 1, 2, 5, 11, 100].map((count) => plurals("ar")(count, forms))).toEqual([
    "zero",
    "one",
    "two",
    "5 few",
    "11 many",
    "100 other",
  ]);
  expect(plurals("de")(1234, { one: "# Chat", other: "# Chats $& #" })).toBe("1,234 Chats $& 1,234");
  expect(plurals("ja")(1, { one: "never", other: "#件" })).toBe("1件");
});

it("each language has its folder", () => {
  expect(["en", ...translations].sort()).toEqual(Object.keys(languages).sort());
});

it.each(translations)("%s has every text, with every value that English names in it", async (tag) => {
  const texts = await textsIn(tag);
  expect(Object.keys(texts).sort()).toEqual(Object.keys(await englishTexts()).sort());
  const { missing, surplus, lost } = await compareLanguage(tag);
  expect({ missing, surplus, lost }).toEqual({ missing: [], surplus: [], lost: [] });
});

/** What stays as it is in every language: names of variables, code, addresses, paths. */
const names = (text: string) =>
  [...text.matchAll(/\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|`[^`]+`|https?:\/\/\S+|(?<![\w/])\/[a-z][\w/-]+/g)]
    .map(([name]) => name.replace(/[.,;:)]+$/, ""))
    .toSorted();

it.each(translations)(
  "%s has words for each setting, with the names and the values that English has in them",
  async (tag) => {
    const { default: words } = (await import(`../../../src/ui/languages/${tag}/settings.ts`)) as {
      default: SettingWords;
    };
    const all: [string, Definition][] = Object.entries(definitions);
    expect(Object.keys(words)).toEqual(Object.keys(definitions));
    const odd = all.flatMap(([name, { description, options = [] }]) => {
      const [title, translated] = words[name]!;
      const values = options
        .filter(Boolean)
        .map((value) => `${value}: `)
        .filter((value) => description.includes(value));
      const isWhole = title !== "" && translated !== "" && translated !== description;
      const hasAll =
        names(description).join() === names(translated).join() && values.every((value) => translated.includes(value));
      return isWhole && hasAll ? [] : [[name, description, translated]];
    });
    expect(odd).toEqual([]);
  },
);

it("languages import nothing that waits for them", () => {
  const imports = globSync(`${folder}/*/**/*.ts`).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^import (?!type )[^;]*"([^"]+)";/gm)].map(([, name = ""]) =>
      path.relative(folder, path.resolve(path.dirname(file), name)),
    ),
  );
  expect(imports.length).toBeGreaterThan(100);
  const waiting = /^(app|admin|translator)\.ts$/;
  expect(imports.filter((name) => name.startsWith(".."))).toEqual([]);
  expect(imports.filter((name) => waiting.test(name))).toEqual([]);
});
