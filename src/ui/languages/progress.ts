/**
 * How far the reading of a file is, to stand after its name; nothing where that is not known.
 * @param unit `percent`, or what is counted
 */
export function progressIn(number: Intl.NumberFormat, percent: Intl.NumberFormat) {
  return (unit: string, done: number, total: number): string => {
    if (done === 0) return "";
    if (unit === "percent") return ` (${percent.format(done / 100)})`;
    return total > 0 ? ` (${number.format(done)}/${number.format(total)})` : ` (${number.format(done)})`;
  };
}
