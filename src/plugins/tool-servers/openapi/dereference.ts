import { isRecord } from "../../../lib/json.ts";

/** How deep a schema is followed, and how many of its parts are written out, in one operation and in a whole document. */
const maxDepth = 24;
const maxParts = 2000;
const maxPartsInAll = 60_000;
/** References that lead to references. */
const maxChain = 20;

/** Resolves `$ref`s within one document, whatever it refers to: to itself, to nothing, to far too much. */
export interface Dereferencer {
  /** What stands there: the object itself, or what its references lead to; undefined for what cannot be found. */
  resolve(value: unknown): Record<string, unknown> | undefined;
  /** The value with every reference written out. What is too deep, too much, or part of itself becomes `{}`, which allows anything. */
  expand(value: unknown): unknown;
  /** To be called before each operation. */
  startOperation(): void;
  warnings: Set<string>;
}

export function createDereferencer(document: Record<string, unknown>): Dereferencer {
  const warnings = new Set<string>();
  let left = maxParts;
  let leftInAll = maxPartsInAll;

  function lookUp(ref: string): unknown {
    if (!ref.startsWith("#")) {
      warnings.add("References to other documents are not followed");
      return undefined;
    }
    if (ref === "#") return document;
    let at: unknown = document;
    for (const part of ref.replace(/^#\//, "").split("/")) {
      const name = unescapePointer(part);
      if (Array.isArray(at)) at = /^\d{1,6}$/.test(name) ? at[Number(name)] : undefined;
      else at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
      if (at === undefined) break;
    }
    if (at === undefined) warnings.add(`The reference cannot be resolved: ${ref.slice(0, 200)}`);
    return at;
  }

  function resolve(value: unknown): Record<string, unknown> | undefined {
    let found = value;
    for (let step = 0; step < maxChain; step++) {
      if (!isRecord(found)) return undefined;
      const ref = found["$ref"];
      if (typeof ref !== "string") return found;
      found = lookUp(ref);
    }
    warnings.add("Some references are circular");
    return undefined;
  }

  function expand(value: unknown, depth = 0, open: readonly unknown[] = []): unknown {
    if (Array.isArray(value)) return value.map((item) => expand(item, depth + 1, open));
    if (!isRecord(value)) return value;
    if (depth > maxDepth || left <= 0 || leftInAll <= 0) {
      warnings.add("Very deep or very large parts are shortened");
      return {};
    }
    left--;
    leftInAll--;
    const target = typeof value["$ref"] === "string" ? resolve(value) : value;
    // A tree in which each node holds nodes of its own kind would never end.
    if (target === undefined || open.includes(target)) return {};
    const inside = [...open, target];
    const written = Object.entries(target).map(([name, part]) => [name, expand(part, depth + 1, inside)] as const);
    // Beside a reference there may be words of its own (OpenAPI 3.1).
    const { description } = value;
    if (target !== value && typeof description === "string") written.push(["description", description]);
    return Object.fromEntries(written);
  }

  return {
    resolve,
    expand: (value) => expand(value),
    startOperation() {
      left = maxParts;
    },
    warnings,
  };
}

/** RFC 6901, section 4 and 6. */
function unescapePointer(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // A stray percent sign stands for itself.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
