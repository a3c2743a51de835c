import fc from "fast-check";
import { expect, test } from "vitest";
import { newSpanId, newTraceId, readTraceparent, writeTraceparent } from "../../../src/lib/traces/trace-context.ts";

const digits = (length: number) =>
  fc
    .array(fc.constantFrom(..."0123456789abcdef"), { minLength: length, maxLength: length })
    .map((all) => all.join(""))
    .filter((text) => /[^0]/.test(text));
const context = fc.record({ traceId: digits(32), spanId: digits(16), isSampled: fc.boolean() });

test("what is written is read again", () => {
  fc.assert(
    fc.property(context, (each) => {
      expect(readTraceparent(writeTraceparent(each))).toEqual(each);
    }),
  );
});

test("a damaged one is none, or another one of the right form; any text is read without an error", () => {
  const whole = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-0[01]$/;
  const isNoneOrWhole = (header: string) => {
    const read = readTraceparent(header);
    return read === undefined || whole.test(writeTraceparent(read));
  };
  const piece = fc.string({ unit: "binary", minLength: 0, maxLength: 2 });
  const damaged = fc.tuple(context, fc.nat(54), piece).map(([each, at, other]) => {
    const header = writeTraceparent(each);
    return header.slice(0, at) + other + header.slice(at + 1);
  });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string({ unit: "binary" })), (header) => {
      expect(isNoneOrWhole(header)).toBe(true);
    }),
  );
});

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const parent = "00f067aa0ba902b7";

test.each([
  [`00-${trace}-${parent}-01`, true],
  [`00-${trace}-${parent}-00`, false],
  [`00-${trace}-${parent}-03`, true],
  // A later version, with more behind it.
  [`cc-${trace}-${parent}-01-what-comes`, true],
  [`cc-${trace}-${parent}-01`, true],
])("%s is valid", (header, isSampled) => {
  expect(readTraceparent(header)).toEqual({ traceId: trace, spanId: parent, isSampled });
});

test.each([
  null,
  "",
  `ff-${trace}-${parent}-01`,
  `00-${trace}-${parent}-01-more`,
  `00-${trace}-${parent}-1`,
  `cc-${trace}-${parent}-01.more`,
  `00-${"0".repeat(32)}-${parent}-01`,
  `00-${trace}-${"0".repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${parent}-01`,
  `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
])("%s is as good as none", (header) => {
  expect(readTraceparent(header)).toBeUndefined();
});

test("new ids have the right length, and are new", () => {
  expect(newTraceId()).toMatch(/^[\da-f]{32}$/);
  expect(newSpanId()).toMatch(/^[\da-f]{16}$/);
  expect(new Set(Array.from({ length: 100 }, newTraceId)).size).toBe(100);
});
