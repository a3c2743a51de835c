import fc from "fast-check";

/** Any text at all, halves of surrogate pairs included; `fc.string` takes seconds to set up as much. */
export const anyText = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0x10_ffff)), { maxLength: 20 })
  .map((points) => String.fromCodePoint(...points));
