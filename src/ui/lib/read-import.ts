import { isObject } from "../../shared/moving-in/read-values.ts";

/**
 * The entries of a JSON file: an array, an object with one under `key`, or a single entry.
 * @throws Error that says what is wrong with the file
 */
export async function readEntries(
  file: File,
  key: string,
  words: { notJson: string; none: string; tooLarge: string },
  maxBytes = 30_000_000,
): Promise<Record<string, unknown>[]> {
  if (file.size > maxBytes) throw new Error(words.tooLarge);
  let value: unknown;
  try {
    value = JSON.parse(await file.text());
  } catch {
    throw new Error(words.notJson);
  }
  const list = Array.isArray(value) ? value : isObject(value) && Array.isArray(value[key]) ? value[key] : [value];
  if (list.length === 0 || !list.every(isObject)) throw new Error(words.none);
  return list;
}

/** What to call an entry in a list of what would come. */
export function nameOfEntry(entry: Record<string, unknown>): string {
  const said = [entry["name"], entry["title"], entry["id"]].find((text) => typeof text === "string" && text !== "");
  return typeof said === "string" ? said.slice(0, 200) : "–";
}
