/** A list number in a document's format; formats by their names in Office and OpenDocument, all others are decimal. */
export function formatNumber(value: number, format: string): string {
  if (format === "lowerLetter" || format === "a") return letters(value).toLowerCase();
  if (format === "upperLetter" || format === "A") return letters(value);
  if (format === "lowerRoman" || format === "i") return roman(value).toLowerCase();
  if (format === "upperRoman" || format === "I") return roman(value);
  if (format === "decimalZero") return String(value).padStart(2, "0");
  return String(value);
}

/** A to Z, then AA, BB and so on. */
function letters(value: number): string {
  if (value < 1 || value > 780) return String(value);
  return String.fromCodePoint(65 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

const romans: readonly [number, string][] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

function roman(value: number): string {
  if (value < 1 || value > 3999) return String(value);
  let rest = value;
  let text = "";
  for (const [worth, letter] of romans) {
    while (rest >= worth) {
      text += letter;
      rest -= worth;
    }
  }
  return text;
}
