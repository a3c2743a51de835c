import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPipeFrames } from "../../../src/models/drivers/function-model/pipe-frames.ts";

/** What a function's values say, all frames together. */
function said(values: readonly unknown[]): { text: string; events: unknown[]; isWhole: boolean } {
  const frames = createPipeFrames();
  const added = values.map((value) => frames.add(value));
  const stream = added.map((each) => each.frames).join("") + frames.end();
  const datas = stream
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => frame.replace(/^data: /, ""));
  const chunks = datas.slice(0, -1).map((data) => JSON.parse(data) as { choices?: { delta?: { content?: string } }[] });
  return {
    text: chunks.map(({ choices }) => choices?.[0]?.delta?.content ?? "").join(""),
    events: added.flatMap((each) => each.events),
    isWhole: datas.at(-1) === "[DONE]",
  };
}

const chunk = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
/** Cuts a text at random places. */
const cut = (whole: string, places: number[]): string[] => {
  const at = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => whole.slice(from, at[index] ?? whole.length));
};

describe("what a function yields", () => {
  it("texts say what they say, in order, whatever they look like", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(text, fc.constantFrom(":", ": ", "data", "data:", "\n", "event: x", "[DONE]", " ")), {
          maxLength: 8,
        }),
        (texts) => {
          // A text that looks like the empty line of a stream is the only one that is taken for it.
          fc.pre(!texts.some((each) => /^data:\s*$/.test(each)));
          expect(said(texts)).toEqual({ text: texts.join(""), events: [], isWhole: true });
        },
      ),
    );
  });

  it("an event stream says the same however it is cut", () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(2000), { maxLength: 12 }),
        fc.constantFrom("\n\n", "\r\n\r\n"),
        fc.boolean(),
        (texts, places, end, hasComment) => {
          const frames = texts.map((each) => `data: ${JSON.stringify(chunk(each))}${end}`);
          const stream = `${frames.join(hasComment ? `: ping${end}` : "")}data: [DONE]${end}`;
          // The first piece has to show that it is one.
          const pieces = cut(stream.slice(7), places);
          expect(said([stream.slice(0, 7) + pieces[0]!, ...pieces.slice(1)])).toEqual({
            text: texts.join(""),
            events: [],
            isWhole: true,
          });
        },
      ),
    );
  });

  it("a line may come whole before its end and the first letter of the next", () => {
    const [one, two] = ["Good ", "morning"].map((each) => `data: ${JSON.stringify(chunk(each))}`);
    for (const end of ["\n\n", "\r\n\r\n"])
      expect(said([one, `${end}d`, `${two!.slice(1)}${end}data: [DONE]${end}`])).toEqual({
        text: "Good morning",
        events: [],
        isWhole: true,
      });
  });

  it("lines without their ends, objects and texts may come in any order", () => {
    const value = fc.oneof(
      text.map((each) => ({ value: each as unknown, says: each })),
      text.map((each) => ({ value: chunk(each) as unknown, says: each })),
      text.map((each) => ({ value: `data: ${JSON.stringify(chunk(each))}` as unknown, says: each })),
      text.map((each) => ({ value: { event: { type: "status", data: { description: each } } } as unknown, says: "" })),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 10 }), (values) => {
        // After lines of a stream, texts that look like other lines of one are taken for those.
        fc.pre(
          values.every(
            ({ value: each }) =>
              typeof each !== "string" ||
              each.startsWith("data: {") ||
              !/^(?:data:|event:|id:|retry:|:|\s*$)/.test(each),
          ),
        );
        const { text: all, events } = said(values.map(({ value: each }) => each));
        expect(all).toBe(values.map(({ says }) => says).join(""));
        expect(events).toHaveLength(values.filter(({ says }) => says === "").length);
      }),
    );
  });

  it.each([
    [[null, undefined, ""], ""],
    [[1, true], "1true"],
    [[["a", "b"]], "ab"],
    [[{ message: { content: "a" } }, { content: "b" }], "ab"],
    [['data: {"choices":[{"delta":{"content":"a"}}]}', "data: [DONE]", "late"], "a"],
    [[": processing", ": processing", 'data: {"choices":[{"delta":{"content":"a"}}]}'], "a"],
    [[": ", ") is a sad face"], ": ) is a sad face"],
    [[":"], ":"],
  ])("%j says %j", (values, expected) => {
    const frames = createPipeFrames();
    const stream = values.map((value) => frames.add(value).frames).join("") + frames.end();
    const contents = [...stream.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content);
    expect(contents.join("")).toBe(expected);
  });
});
