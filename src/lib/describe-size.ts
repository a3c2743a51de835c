const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];

/** A size in words, such as 1.5 MB. */
export function describeSize(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  const digits = step === 0 || value >= 100 ? 0 : 1;
  return `${Number(value.toFixed(digits))} ${bytes === 1 ? "byte" : units[step]}`;
}
