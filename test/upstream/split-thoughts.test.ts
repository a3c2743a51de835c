import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { geminiTag, readReasoningTags, type ReasoningTag } from "../../src/upstream/repair/reasoning-tags.ts";
import { createThoughtSplitter } from "../../src/upstream/repair/split-thoughts.ts";

const usual = readReasoningTags(undefined);

/** What is thought and what is said in the end. */
function split(pieces: readonly string[], tags: readonly ReasoningTag[] = usual): { thought: string; said: string } {
  const splitter = createThoughtSplitter(tags);
  const all = [...pieces.flatMap((piece) => splitter.add(piece)), ...splitter.end()];
  const join = (isThought: boolean) =>
    all
      .filter((piece) => piece.isThought === isThought)
      .map(({ text }) => text)
      .join("");
  return { thought: join(true), said: join(false) };
}

describe("thoughts between tags", () => {
  it.each([
    ["<think>\nHm.\n</think>\n\nYes.", "Hm.", "Yes."],
    [" \n<think>Hm.</think>Yes.", "Hm.", "Yes."],
    ["<think></think>\n\nYes.", "", "Yes."],
    ["<think>One.</think>\n<think>Two.</think>Yes.", "One.Two.", "Yes."],
    ["◁think▷Hm.◁/think▷Yes.", "Hm.", "Yes."],
    ["[THINK]Hm.[/THINK]Yes.", "Hm.", "Yes."],
    ["<think>a < b </thin</think>Yes.", "a < b </thin", "Yes."],
    ["<think>never closed", "never closed", ""],
    ["<think>Hm.</think>", "Hm.", ""],
    ["<think>Hm.</think> \n ", "Hm.", ""],
    [
      "The tag <think>stays</think> where an answer speaks of it.",
      "",
      "The tag <think>stays</think> where an answer speaks of it.",
    ],
    ["<thinking>asked for</thinking>", "", "<thinking>asked for</thinking>"],
    ["<thin", "", "<thin"],
    ["<", "", "<"],
    ["\n\n  indented", "", "\n\n  indented"],
    ["", "", ""],
  ])("%j", (text, thought, said) => {
    expect(split([text])).toEqual({ thought, said });
    expect(split([...text])).toEqual({ thought, said });
  });

  it("are no longer looked for after much space, which would have to be kept", () => {
    const text = `${" ".repeat(300)}<think>x</think>`;
    for (const pieces of [[text], [...text]]) expect(split(pieces)).toEqual({ thought: "", said: text });
  });

  it("with tags of the model's own, anywhere in the text", () => {
    const tags = readReasoningTags(["((", "))"]);
    for (const pieces of [["a ((b)) c ((d"], [..."a ((b)) c ((d"]])
      expect(split(pieces, tags)).toEqual({ thought: "bd", said: "a c " });
  });

  it("begin with the answer where the opening tag is empty", () => {
    const tags = readReasoningTags([["", "</r>"]]);
    expect(split(["\nHm.", " Well.</", "r>\nYes."], tags)).toEqual({ thought: "Hm. Well.", said: "Yes." });
  });

  it("are left in the text where no tags are known", () => {
    expect(split(["<think>a</think>"], readReasoningTags(false))).toEqual({ thought: "", said: "<think>a</think>" });
  });

  it("never show a tag, nor a part of one, while they come", () => {
    const splitter = createThoughtSplitter(usual);
    const shown = [..."<think>Hm, <b>.</think>Yes <think>."].flatMap((piece) => splitter.add(piece));
    const texts = (isThought: boolean) =>
      shown.filter((piece) => piece.isThought === isThought).map(({ text }) => text);
    expect(texts(true).join("")).toBe("Hm, <b>.");
    expect(texts(false).join("")).toBe("Yes <think>.");
  });

  it("may be marked beside the text", () => {
    const splitter = createThoughtSplitter(usual);
    splitter.know(geminiTag);
    expect(splitter.add("<thought>Hm.</thought>Yes.")).toEqual([
      { isThought: true, text: "Hm." },
      { isThought: false, text: "Yes." },
    ]);
    expect(splitter.isSettled()).toBe(true);
  });
});

describe("tags that are configured", () => {
  const own = (configured: unknown, more?: [string, string][]) =>
    readReasoningTags(configured, more)
      .filter(({ isAnywhere }) => isAnywhere)
      .map(({ open, close }) => [open, close]);

  it.each([
    [["<a>", "</a>"], [["<a>", "</a>"]]],
    [
      [
        ["<a>", "</a>"],
        ["<b>", "</b>"],
      ],
      [
        ["<a>", "</a>"],
        ["<b>", "</b>"],
      ],
    ],
    [["<a>"], []],
    [[["<a>", ""]], []],
    [[["<a>", 7]], []],
    [["<a>", "x".repeat(61)], []],
    ["<a>", []],
    [{ open: "<a>" }, []],
    [null, []],
    [Array.from({ length: 50 }, () => ["<a>", "</a>"]), Array.from({ length: 20 }, () => ["<a>", "</a>"])],
  ])("%j", (configured, pairs) => {
    expect(own(configured)).toEqual(pairs);
  });

  it("of a connection count too, but not where a model has none", () => {
    expect(own(undefined, [["<c>", "</c>"]])).toEqual([["<c>", "</c>"]]);
    expect(readReasoningTags(false, [["<c>", "</c>"]])).toEqual([]);
  });
});

describe("however a text is cut", () => {
  const text = fc
    .array(fc.constantFrom("<think>", "</think>", "<", "th", "ink>", "((", "))", "(", ")", " ", "\n", "a", "渡"), {
      maxLength: 20,
    })
    .map((parts) => parts.join(""));
  const cuts = fc.array(fc.nat(), { maxLength: 12 });

  it.each([
    ["usual tags", usual],
    ["tags anywhere", readReasoningTags(["((", "))"])],
  ])("%s: nothing changes, and nothing but tags and the space around them is lost", (_name, tags) => {
    fc.assert(
      fc.property(text, cuts, (whole, places) => {
        const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
        const pieces = [0, ...ends].map((from, at) => whole.slice(from, [...ends, whole.length][at]));
        const once = split([whole], tags);
        expect(split(pieces, tags)).toEqual(once);
        const isPlain = !/\(\(|think>/.test(whole);
        expect(isPlain ? once.said : "").toBe(isPlain ? whole : "");
        // A letter that is in no tag is on one side or the other.
        const letters = [...whole].filter((letter) => letter === "渡").length;
        expect([...(once.thought + once.said)].filter((letter) => letter === "渡")).toHaveLength(letters);
      }),
      { numRuns: 1000 },
    );
  });
});
