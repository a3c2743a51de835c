import { isObject } from "./read-values.ts";

/** Nesting of JSON that is sent: what stands around it counts too. */
const maxDepth = 100;

/** JSON as it can be sent: without names that mean something else, and not nested too deeply. */
export function cleanValue(value: unknown, depth = 0): unknown {
  if (typeof value === "bigint") return Number(value);
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) return (value as unknown[]).map((each) => cleanValue(each, depth + 1));
  if (isObject(value)) return cleanObject(value, depth);
  return value;
}

export function cleanObject(value: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const entries = Object.entries(value).filter(([key]) => key !== "__proto__");
  return Object.fromEntries(entries.map(([key, each]) => [key, cleanValue(each, depth + 1)]));
}

/** How many values JSON has, as the service counts them. */
export function countValues(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const each = open.pop();
    count += 1;
    if (typeof each !== "object" || each === null) continue;
    count += 1;
    for (const inner of Array.isArray(each) ? (each as unknown[]) : Object.values(each)) open.push(inner);
  }
  return count;
}
