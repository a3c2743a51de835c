import { describe, expect, test } from "vitest";
import { findCode, findWholeCode } from "../../../../src/ui/features/channels/emoji/find-code.ts";

/** The caret is where the bar is. */
const at = (marked: string) => [marked.replace("|", ""), marked.indexOf("|")] as const;

describe("the code of an emoji that is being written", () => {
  test.each([
    [":ta|", "ta"],
    ["Well done :tada|", "tada"],
    ["(:+1|", "+1"],
    ["🎉:tada|", "tada"],
  ])("is found in %s", (text, query) => {
    expect(findCode(...at(text))?.query).toBe(query);
  });

  test.each(["10:30|", "https://x|", ":D|", "a:bc|", ": ab|", "::|", ":no way|"])("is none in %s", (text) => {
    expect(findCode(...at(text))).toBeUndefined();
  });

  test("is whole with its second colon", () => {
    expect(findWholeCode(...at("Yes :tada:| now"))).toEqual({ start: 4, end: 10, query: "tada" });
    expect(findWholeCode(...at("at 10:30:|"))).toBeUndefined();
    expect(findWholeCode(...at(":tada|:"))).toBeUndefined();
  });
});
