/** A tool's name for people: `get_current_weather` and `getCurrentWeather` are "Get current weather". */
export function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[_\-.\s]+/g, " ")
    .trim()
    // Words of capitals only (HTTP, SQL) stay.
    .replaceAll(/\b[A-Z][a-z]+\b/g, (word) => word.toLowerCase());
  return words === "" ? name : words[0]!.toUpperCase() + words.slice(1);
}
