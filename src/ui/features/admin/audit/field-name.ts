import { texts } from "./texts.ts";

/**
 * What a field of a detail is called: `permissions.features.api_keys` is `Permissions › features › api keys`, a setting has its
 * title. Pure.
 * @param titles of settings, by their names
 */
export function fieldName(path: string, titles: ReadonlyMap<string, string> = new Map()): string {
  return path
    .split(".")
    .map((part, index) => titles.get(part) ?? (index === 0 ? texts.fields[part] : undefined) ?? inWords(part, index))
    .join(" › ");
}

function inWords(part: string, index: number): string {
  // Headers and variables are names in their own right.
  if (!/^[a-z][a-zA-Z0-9_]*$/.test(part)) return part;
  const words = part.replaceAll("_", " ").replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return index === 0 ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}
