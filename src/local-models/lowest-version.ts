/** What clients may rely on: the oldest of several versions, by the numbers in them. Undefined for none. */
export function lowestVersion(versions: readonly string[]): string | undefined {
  return versions.toSorted(compare)[0];
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/\D+/).filter(Boolean).map(Number));
  for (let at = 0; at < Math.max(left!.length, right!.length); at++) {
    const difference = (left![at] ?? 0) - (right![at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
