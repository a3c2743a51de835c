import { expect, it } from "vitest";
import { said, type StatusText, type statusWords } from "../../../../../src/shared/status-words.ts";
import { sayStatus } from "../../../../../src/ui/features/chat/items/status-texts.ts";
import arabic from "../../../../../src/ui/languages/ar/app/chat-status.ts";
import german from "../../../../../src/ui/languages/de/app/chat-status.ts";
import japanese from "../../../../../src/ui/languages/ja/app/chat-status.ts";
import type { Translated } from "../../../../../src/ui/languages/translated.ts";

const examples: StatusText[] = [
  ["searching", ["Handbook", "Rules"], 3],
  ["found", 2, 1],
  ["nothingFound", ["Kitchen"], 0],
  ["reading", "report.pdf", 2, "pages", 3, 12],
  ["preparing", "report.pdf", 0, "percent", 25, 0],
  ["searchingWebFor", ["tides", "ferries"]],
  ["madePictures", 1],
];

it("a status is said by its text and values, the same as its description in English", () => {
  expect(examples.map((words) => sayStatus({ ...said(words), description: "" }))).toEqual([
    "Searching Handbook, Rules and 3 more",
    "Found 2 passages in 1 document",
    "Nothing found in Kitchen",
    "Reading report.pdf, page 3 of 12 and 2 more",
    "Preparing report.pdf, 25 %",
    "Searching the web for “tides”, “ferries”",
    "Made a picture",
  ]);
});

it("languages say it with the same values", () => {
  const inLanguage = (texts: Translated<typeof statusWords>) =>
    // Lists and percentages are written as the machine's locale has them.
    examples
      .filter(([id]) => id !== "searching" && id !== "preparing")
      .map(([id, ...values]) => (texts[id] as (...values: unknown[]) => string)(...values));
  expect(inLanguage(german)).toEqual([
    "2 Passagen in 1 Dokument gefunden",
    "Nichts gefunden in Kitchen",
    "Lese report.pdf (3/12) und 2 weitere",
    "Suche im Web nach „tides“, „ferries“",
    "1 Bild erstellt",
  ]);
  expect(inLanguage(japanese)[2]).toBe("report.pdf (3/12)、ほか2件を読み取っています");
  expect(inLanguage(arabic)[0]).toContain("مستند واحد");
});

it.each([
  [{ description: "Cutting the bread" }, "Cutting the bread"],
  [{ description: "As it is", words: ["constructor"] }, "As it is"],
  [{ description: "As it is", words: ["toString", 1] }, "As it is"],
  [{ description: "As it is", words: "found" }, "As it is"],
  [{ description: "As it is", words: ["searching", null, 1] }, "As it is"],
  [{ description: "As it is", words: ["searchingWebFor", 7] }, "As it is"],
  [null, ""],
  ["text", ""],
])("what plugins send is said as it came: %#", (status, words) => {
  expect(sayStatus(status)).toBe(words);
});
