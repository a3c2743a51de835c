/** Numbers `from` to `to`, both included. */
export interface SeqRange {
  readonly from: number;
  readonly to: number;
  /** Whether a page is in it, and not only what came by itself. */
  readonly isAnchored: boolean;
}

/** Adds a range to sorted ones that neither touch nor overlap; the result is such again. */
export function addRange(ranges: readonly SeqRange[], added: SeqRange): SeqRange[] {
  if (added.from > added.to) return [...ranges];
  const before = ranges.filter((range) => range.to < added.from - 1);
  const after = ranges.filter((range) => range.from > added.to + 1);
  const joined = ranges.slice(before.length, ranges.length - after.length);
  const from = Math.min(added.from, ...joined.map((range) => range.from));
  const to = Math.max(added.to, ...joined.map((range) => range.to));
  return [...before, { from, to, isAnchored: added.isAnchored || joined.some((range) => range.isAnchored) }, ...after];
}

/** The range that a number is in. */
export function rangeAt(ranges: readonly SeqRange[], seq: number): SeqRange | undefined {
  return ranges.find((range) => range.from <= seq && seq <= range.to);
}

/** The ranges without the numbers below this one. */
export function rangesFrom(ranges: readonly SeqRange[], seq: number): SeqRange[] {
  return ranges.flatMap((range) => (range.to < seq ? [] : [{ ...range, from: Math.max(range.from, seq) }]));
}
