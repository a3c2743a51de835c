import { isRecord } from "../../lib/json.ts";

/** More fields are of no use to clients, and lists have thousands of entries. */
const maxFields = 30;
const maxTextLength = 300;
const maxNestedLength = 600;

/** A provider's own entry without long values: descriptions, price tables, pictures. */
export function trimEntry(entry: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  let count = 0;
  for (const [name, value] of Object.entries(entry)) {
    if (count === maxFields) break;
    const fits =
      typeof value === "string"
        ? value.length <= maxTextLength && !value.startsWith("data:")
        : !isNested(value) || isSmall(value);
    if (!fits) continue;
    kept[name] = value;
    count++;
  }
  return kept;
}

function isNested(value: unknown): value is object {
  return isRecord(value) || Array.isArray(value);
}

function isSmall(value: object): boolean {
  const text = JSON.stringify(value);
  return text.length <= maxNestedLength && !text.includes('"data:');
}
