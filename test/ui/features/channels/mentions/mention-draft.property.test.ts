import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMentions } from "../../../../../src/shared/mentions.ts";
import { findMention, putMention } from "../../../../../src/ui/features/channels/mentions/find-mention.ts";
import {
  addName,
  fromWire,
  isNameable,
  type Named,
  toWire,
} from "../../../../../src/ui/features/channels/mentions/mention-draft.ts";

const ada: Named = { kind: "user", id: "u1", label: "Ada" };
const adaLovelace: Named = { kind: "user", id: "u2", label: "Ada Lovelace" };
const pilot: Named = { kind: "model", id: "pilot:8b", label: "Pilot (8b)" };
const releases: Named = { kind: "channel", id: "c1", label: "releases" };

function namesOf(...named: Named[]) {
  return named.reduce(
    (names, each) => addName(names, each).names,
    new Map<string, Named>() as ReadonlyMap<string, Named>,
  );
}

describe("a text with names", () => {
  it.each([
    ["@Ada, look at #releases", "<@U:u1|Ada>, look at <#C:c1|releases>"],
    ["@Ada Lovelace and @Ada", "<@U:u2|Ada Lovelace> and <@U:u1|Ada>"],
    ["@Pilot (8b) when?", "<@M:pilot:8b|Pilot (8b)> when?"],
    ["(@Ada)", "(<@U:u1|Ada>)"],
    ["@Adam, mail@Ada, @@Ada, ##releases, @ada", "@Adam, mail@Ada, @@Ada, ##releases, @ada"],
    ["@Ada's and @Ada-2", "<@U:u1|Ada>'s and <@U:u1|Ada>-2"],
  ])("%s", (text, wire) => {
    expect(toWire({ text, names: namesOf(ada, adaLovelace, pilot, releases) })).toBe(wire);
  });

  it("tells two with the same name apart", () => {
    const other: Named = { ...ada, id: "u9" };
    const names = namesOf(ada, other);
    expect([...names.keys()]).toEqual(["@Ada", "@Ada (2)"]);
    expect(toWire({ text: "@Ada (2) and @Ada", names })).toBe("<@U:u9|Ada> and <@U:u1|Ada>");
    expect(addName(names, ada).shown).toBe("@Ada");
  });

  it("comes back as it was sent, whatever people and models are called", () => {
    const label = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
    const named = fc.record({
      kind: fc.constantFrom("user", "model", "channel"),
      id: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 }).filter((id) => isNameable({ id })),
      label,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(named, fc.lorem({ maxCount: 3 })), { maxLength: 8 }), (parts) => {
        let names: ReadonlyMap<string, Named> = new Map();
        let text = "";
        for (const [each, words] of parts) {
          const added = addName(names, each);
          ({ names } = added);
          text += `${added.shown} ${words} `;
        }
        const wire = toWire({ text, names });
        expect(readMentions(wire).map(({ kind, id }) => [kind, id])).toEqual(parts.map(([{ kind, id }]) => [kind, id]));
        expect(toWire(fromWire(wire))).toBe(wire);
      }),
    );
  });

  it("leaves a text without names as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-composite" }), (text) => {
        fc.pre(readMentions(text).length === 0);
        expect(toWire(fromWire(text))).toBe(text);
      }),
    );
  });
});

describe("a name that is being written", () => {
  const names = namesOf(adaLovelace);
  it.each([
    ["@", { start: 0, end: 1, query: "", sign: "@" }],
    ["Hello @ad", { start: 6, end: 9, query: "ad", sign: "@" }],
    ["(#rel", { start: 1, end: 5, query: "rel", sign: "#" }],
    ["@Ada Lo", { start: 0, end: 7, query: "Ada Lo", sign: "@" }],
    ["a@b", undefined],
    ["@Ada ", undefined],
    ["@one two three", undefined],
    ["@Ada\nLo", undefined],
    ["## heading", undefined],
    ["@Ada Lovelace", undefined],
    ["@Ada Lovelace and", undefined],
    [`@${"x".repeat(61)}`, undefined],
  ])("%s", (text, mark) => {
    expect(findMention(text, text.length, names)).toEqual(mark);
  });

  it("makes room for what follows", () => {
    expect(putMention("Hi @ad", { start: 3, end: 6, query: "ad", sign: "@" }, "@Ada")).toEqual({
      text: "Hi @Ada ",
      caret: 8,
    });
    expect(putMention("Hi @ad there", { start: 3, end: 6, query: "ad", sign: "@" }, "@Ada")).toEqual({
      text: "Hi @Ada there",
      caret: 8,
    });
  });
});
