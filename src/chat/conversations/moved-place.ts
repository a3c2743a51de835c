/**
 * Where a place of a text is after the text was edited: what is before and behind the changed stretch stays beside its own
 * words, and what was in it stands where the new stretch begins. UTF-16 units.
 */
export function movedPlace(before: string, after: string, at: number): number {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  if (at <= start) return at;
  return at >= before.length - end ? at + after.length - before.length : start;
}
