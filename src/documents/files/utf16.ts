/** The charset of a text in UTF-16 that does not say so: every second byte of Latin letters and of digits is 0. */
export function guessUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const length = Math.min(bytes.length, 4096) & ~1;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const pairs = length / 2;
  if (pairs < 2) return undefined;
  // The other half holds letters, and hardly ever a NUL.
  if (odd > pairs * 0.3 && even < pairs * 0.01) return "utf-16le";
  if (even > pairs * 0.3 && odd < pairs * 0.01) return "utf-16be";
  return undefined;
}
