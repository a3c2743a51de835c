import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCommand } from "../../../../src/ui/features/prompts/to-command.ts";
import { checkValue } from "../../../../src/ui/features/prompts/variables/check-value.ts";
import { fillPrompt } from "../../../../src/ui/features/prompts/variables/fill-prompt.ts";
import {
  parseVariables,
  splitPrompt,
  type Variable,
} from "../../../../src/ui/features/prompts/variables/parse-variables.ts";
import { systemValues } from "../../../../src/ui/features/prompts/variables/system-values.ts";

const asked = (content: string, known: string[] = []) => parseVariables(content, new Set(known));
const one = (content: string): Variable => asked(content)[0]!;

describe("what a prompt asks for", () => {
  test("stands in its text, with the peer's kinds and properties", () => {
    expect(one("{{name}}")).toEqual({
      name: "name",
      type: "text",
      label: "name",
      placeholder: "",
      default: "",
      options: [],
      required: false,
      min: "",
      max: "",
      step: "",
    });
    expect(
      one('{{ priority | select:options=["High","Low: later"]:placeholder="Choose: now":required }}'),
    ).toMatchObject({
      name: "priority",
      type: "select",
      options: ["High", "Low: later"],
      placeholder: "Choose: now",
      required: true,
    });
    expect(one("{{count | number:min=1:max=100:default=5}}")).toMatchObject({
      type: "number",
      min: "1",
      max: "100",
      default: "5",
      required: false,
    });
    expect(one('{{include_details | checkbox:label="Include \\"all\\" details"}}')).toMatchObject({
      type: "checkbox",
      label: 'Include "all" details',
    });
    expect(one('{{color | color:default="#FFFFFF"}}')).toMatchObject({ type: "color", default: "#FFFFFF" });
    expect(one('{{text | text:default="a }} b"}}')).toMatchObject({ default: "a }} b" });
    expect(one("{{a | select:options=x,y}}")).toMatchObject({ type: "select", options: ["x", "y"] });
  });

  test("is a line where the kind is none, or nothing could be chosen", () => {
    expect(one('{{where | map:default="51.5,-0.09"}}')).toMatchObject({ type: "text", default: "51.5,-0.09" });
    expect(one("{{a | select:options=[]}}")).toMatchObject({ type: "text" });
  });

  test("is asked for once, as the place says that says most", () => {
    const variables = asked("{{a}} {{b | number}} {{a | textarea:required}} {{b | date}}");
    expect(variables.map(({ name, type, required }) => [name, type, required])).toEqual([
      ["a", "textarea", true],
      ["b", "number", false],
    ]);
  });

  test("is not what is known, and is what would be known of others", () => {
    const names = (known: string[]) =>
      asked("{{USER_NAME}} {{USER_BIO}} {{CLIPBOARD}} {{x}}", known).map(({ name }) => name);
    expect(names(["USER_NAME"])).toEqual(["USER_BIO", "CLIPBOARD", "x"]);
    expect(names(["USER_NAME", "USER_BIO", "CLIPBOARD"])).toEqual(["x"]);
  });

  test.each([
    "{{}}",
    "{{ | text}}",
    "{{a",
    "{ {a}}",
    "{{#if a}}",
    "{{\n}}",
    "{{a\nb}}",
    "{{{",
    `{{${"x".repeat(61)}}}`,
  ])("is nothing in %j", (content) => {
    expect(asked(content)).toEqual([]);
    expect(fillPrompt(content, new Map([["a", "value"]]))).toBe(content);
  });

  test("goes on behind braces that are no place", () => {
    expect(asked("{{#each}} {{a}} {{b {{c}} {{{d}}}").map(({ name }) => name)).toEqual(["a", "c", "d"]);
  });

  test("has an end, however many there are", () => {
    const content = Array.from({ length: 200 }, (_, at) => `{{v${at}}}`).join("");
    expect(asked(content).length).toBe(50);
  });
});

describe("a filled prompt", () => {
  test("has the values in their places, and nothing else changed", () => {
    const values = new Map([
      ["a", "{{b}} $& \\1"],
      ["b", ""],
    ]);
    expect(fillPrompt("1 {{a}} 2 {{ b | text:required }} 3 {{c}} {{a | number}}", values)).toBe(
      "1 {{b}} $& \\1 2  3 {{c}} {{b}} $& \\1",
    );
  });

  test("is its pieces, whatever it says", () => {
    const text = fc.string({ unit: fc.constantFrom("{", "}", "|", '"', ":", "a", "\n", "\\", "[", "]", "=") });
    fc.assert(
      fc.property(text, (content) => {
        const pieces = splitPrompt(content);
        expect(pieces.map((piece) => (typeof piece === "string" ? piece : piece.raw)).join("")).toBe(content);
        for (const { type, label } of asked(content)) expect(type && label).toBeTypeOf("string");
      }),
      { numRuns: 2000 },
    );
  });
});

test("what is known of the person and the moment", () => {
  const now = new Date(2026, 10, 2, 9, 5);
  const ada = { name: "Ada", email: "ada@harbour.example", bio: "", date_of_birth: "1990-11-03" };
  expect(Object.fromEntries(systemValues(ada, "de-DE", now))).toMatchObject({
    USER_NAME: "Ada",
    USER_EMAIL: "ada@harbour.example",
    USER_LANGUAGE: "de-DE",
    USER_BIRTH_DATE: "1990-11-03",
    USER_AGE: "35",
    CURRENT_DATE: "2026-11-02",
    CURRENT_TIME: "09:05",
    CURRENT_DATETIME: "2026-11-02 09:05",
    CURRENT_WEEKDAY: "Monday",
  });
  expect(systemValues(ada, "de-DE", now).has("USER_BIO")).toBe(false);
  expect(systemValues({ ...ada, date_of_birth: "soon" }, "de-DE", now).has("USER_AGE")).toBe(false);
});

test.each([
  ["{{a | text:required}}", " ", "missing"],
  ["{{a | text}}", "", undefined],
  ["{{a | number:min=1:max=5}}", "0", "min"],
  ["{{a | number:min=1:max=5}}", "6", "max"],
  ["{{a | number:min=1:max=5}}", "five", "number"],
  ["{{a | number:min=1:max=5}}", "2.5", undefined],
  ["{{a | email}}", "ada", "email"],
  ["{{a | email}}", "ada@harbour.example", undefined],
  ["{{a | url}}", "harbour", "url"],
  ["{{a | url}}", "https://harbour.example", undefined],
])("%s takes %j: %s", (content, value, problem) => {
  expect(checkValue(one(content), value)).toBe(problem);
});

test.each([
  ["Summary for the crew", "summary-for-the-crew"],
  ["  Täglich: für alle! ", "täglich-für-alle"],
  ["日本語 メモ", "日本語-メモ"],
  ["!!!", ""],
  ["x".repeat(80), "x".repeat(60)],
])("%j is called up as %j", (name, command) => {
  expect(toCommand(name)).toBe(command);
});
