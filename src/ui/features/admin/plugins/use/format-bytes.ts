import { locale } from "../../../../lib/language.ts";

const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
const formats = units.map(
  (unit) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }),
);

/** A number of bytes in the unit that fits it. */
export function formatBytes(bytes: number): string {
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return formats[at]!.format(bytes / 1000 ** at);
}
