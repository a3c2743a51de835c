import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markWords } from "../../../../src/ui/features/chat/mark-words.ts";

const marked = (text: string, query: string) =>
  markWords(text, query).flatMap(({ text: piece, isMatch }) => (isMatch ? [piece] : []));

describe("marking the words of a search", () => {
  it("finds each word from its beginning, whatever its case and accents", () => {
    expect(marked("The Harbour of Málaga, a harbourmaster", "harbour malaga")).toEqual([
      "Harbour",
      "Málaga",
      "harbour",
    ]);
    expect(marked("overboard on board", "board")).toEqual(["board"]);
  });

  it("finds signs and scripts without spaces anywhere, and no tags", () => {
    expect(marked("up by 100%_ now", "100%_")).toEqual(["100%_"]);
    expect(marked("港口的灯塔", "灯塔")).toEqual(["灯塔"]);
    expect(marked("我们部署Docker容器", "docker")).toEqual(["Docker"]);
    expect(marked("tag:ships are ships", "tag:ships")).toEqual([]);
  });

  it("keeps letters whole that are longer or shorter in lower case", () => {
    expect(marked("İstanbul e\u0301tage 𝐀bc", "etage")).toEqual(["e\u0301tage"]);
    expect(marked("ﬁsh", "fish")).toEqual([]);
  });

  it("always gives the text back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (text, query) => {
        const pieces = markWords(text, query);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
        expect(pieces.every((piece) => piece.text !== "")).toBe(true);
      }),
    );
  });
});
