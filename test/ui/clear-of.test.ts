import fc from "fast-check";
import { expect, test } from "vitest";
import { bestPlace, type Box, clearOf } from "../../src/ui/lib/clear-of.ts";

const at = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const touch = (one: Box, other: Box): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

test("a box that covers nothing stays", () => {
  expect(clearOf(at(100, 60, 100, 40), [at(0, 60, 90, 40), at(100, 200, 50, 40)], 800)).toBe(0);
});

test("moves below what it would cover, and below what it would cover there", () => {
  expect(clearOf(at(100, 60, 100, 40), [at(150, 40, 100, 40)], 800)).toBe(28);
  expect(clearOf(at(100, 60, 100, 40), [at(150, 40, 100, 40), at(120, 110, 20, 20)], 800)).toBe(78);
});

test("stays where there is no room", () => {
  expect(clearOf(at(0, 60, 100, 40), [at(0, 0, 100, 790)], 800)).toBe(0);
});

test("goes to the lower edge where it covers fewer controls there, and comes back only to cover fewer again", () => {
  const notice = at(800, 60, 200, 40);
  const rows = [0, 1, 2, 3].map((row) => at(950, 50 + row * 50, 40, 40));
  const low = 800 - 16 - 100;
  expect(bestPlace(notice, [], [], 800, 0)).toBe(0);
  expect(bestPlace(notice, [], rows, 800, 0)).toBe(low);
  // A table as long as the window: both places cover as much, so it stays.
  const long = Array.from({ length: 20 }, (_, row) => at(950, 50 + row * 50, 40, 40));
  expect(bestPlace(notice, [], long, 800, 0)).toBe(0);
  expect(bestPlace(notice, [], long, 800, low)).toBe(low);
  // A main button is never covered, whatever else is.
  expect(bestPlace(notice, [at(900, 750, 50, 40)], rows, 800, 0)).toBe(0);
  expect(bestPlace(notice, [at(900, 70, 50, 40)], [], 800, 0)).toBe(58);
});

test("what has moved covers nothing", () => {
  const box = fc
    .record({
      left: fc.nat(900),
      top: fc.nat(700),
      width: fc.integer({ min: 1, max: 300 }),
      height: fc.integer({ min: 1, max: 90 }),
    })
    .map(({ left, top, width, height }) => at(left, top, width, height));
  fc.assert(
    fc.property(box, fc.array(box, { maxLength: 6 }), (own, others) => {
      const down = clearOf(own, others, 800);
      const moved = { ...own, top: own.top + down, bottom: own.bottom + down };
      expect(down > 0 && others.some((other) => touch(moved, other))).toBe(false);
      expect(moved.bottom).toBeLessThanOrEqual(Math.max(800, own.bottom));
    }),
  );
});
