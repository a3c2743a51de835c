const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
const formats = units.map(
  (unit) => new Intl.NumberFormat(undefined, { style: "unit", unit, maximumSignificantDigits: 3 }),
);

/** Bytes as people say them: `1.2 MB`. */
export function formatSize(bytes: number): string {
  let [value, at] = [bytes, 0];
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at++;
  }
  return formats[at]!.format(value);
}
