/** Round numbers from 0 to at least the largest value, at most four steps: 1, 2 or 5 times a power of ten apart. */
export function ticksFor(largest: number): number[] {
  const rough = Math.max(1, largest) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!,
  );
  return Array.from({ length: Math.ceil(Math.max(1, largest) / step) + 1 }, (_, at) => at * step);
}
