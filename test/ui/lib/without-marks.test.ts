import * as fc from "fast-check";
import { expect, test } from "vitest";
import { plainSnippet } from "../../../src/ui/features/chat/plain-snippet.ts";
import { withoutMarks } from "../../../src/ui/lib/without-marks.ts";

test.each([
  ["At **21:40**, says the *timetable*. ~~Not at 22:00.~~", "At 21:40, says the timetable. Not at 22:00."],
  ["…leaves.\n\n## Fares\n\n- [x] booked\n- `npm start`", "…leaves. Fares booked npm start"],
  ["…## Fares", "…Fares"],
  ["**`npm start`** and ***both***", "npm start and both"],
  ["see [the harbour](https://harbour.example/a_b) now", "see the harbour now"],
  ["see [the harbour](https://harbour.exam…", "see the harbour"],
  ["…harbour](https://harbour.example/), then", "…harbour, then"],
  ["| Day | Fare |\n|---|---:|\n| Sunday | 4 € |", "Day Fare Sunday 4 €"],
  ["It leaves.[^1]\n\n[^1]: Of July.", "It leaves. Of July."],
  // Signs that are no marks.
  ["snake_case_name = a * b ** 2", "snake_case_name = a * b ** 2"],
  ["a || b, x | y, 2*3, ~5, array[0] (maybe)", "a || b, x | y, 2*3, ~5, array[0] (maybe)"],
  ["1. First", "1. First"],
])("%j is read as %j", (markdown, plain) => {
  expect(withoutMarks(markdown)).toBe(plain);
});

test("what a search shows has no marks, unless they are searched for", () => {
  expect(plainSnippet("The **old** lighthouse", "lighthouse")).toBe("The old lighthouse");
  expect(plainSnippet("The **old** lighthouse", "**old**")).toBe("The **old** lighthouse");
});

test("any text is read, in one line, with nothing that was not there", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab *_`~#>|[]()!-\n…:^1") }), (text) => {
      const plain = withoutMarks(text);
      expect(plain).not.toContain("\n");
      let at = 0;
      // Blanks may stand where marks were, such as those between the cells of a table.
      for (const sign of plain.replaceAll(" ", "")) {
        at = text.indexOf(sign, at) + 1;
        expect(at).toBeGreaterThan(0);
      }
    }),
    { numRuns: 2000 },
  );
});
