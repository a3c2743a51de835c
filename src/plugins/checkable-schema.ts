import { isRecord } from "../lib/json.ts";
import type { JsonSchema } from "./plugin-host.ts";

/** How often a part of the schema may come together with a part of the value: a step takes some microseconds. */
const maxSteps = 300_000;
/** So much text of a schema, and so much of a value, is as much work as one step. */
const textOfStep = 8;
const valueOfStep = 512;

/**
 * A schema that somebody else wrote as one that a value may be checked against here, where everyone's requests run: without
 * regular expressions and comparisons of each with each, which can take for ever; undefined where it refers to itself, doubles
 * with every reference, or is too much for the value. Whoever wrote the schema looks at the value again.
 */
export function checkableSchema(schema: JsonSchema, value: unknown): JsonSchema | undefined {
  const plain = withoutPatterns(schema) as JsonSchema;
  return stepsOf(plain, plain, new Map()) * sizeOf(value, maxSteps) <= maxSteps ? plain : undefined;
}

/** Keywords that are left to whoever wrote the schema, and those that say nothing about a value. */
const left = new Set([
  "pattern",
  "patternProperties",
  "format",
  "uniqueItems",
  "$id",
  "$schema",
  "$anchor",
  "$recursiveRef",
  "$recursiveAnchor",
  "$comment",
  "title",
  "description",
  "default",
  "example",
  "examples",
]);
/** Keywords whose values are schemas by names that somebody chose. */
const byName = new Set(["properties", "$defs", "definitions", "dependentSchemas", "dependencies"]);
/** Keywords whose values are data. */
const data = new Set(["const", "enum", "required", "dependentRequired", "type"]);

function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isRecord(schema)) return schema;
  const hasPatterns = isRecord(schema["patternProperties"]);
  const kept = Object.entries(schema).flatMap(([name, part]): [string, unknown][] => {
    // What the patterns would allow must not be refused as unknown.
    if (left.has(name) || (hasPatterns && /^(?:additional|unevaluated)Properties$/.test(name))) return [];
    if (data.has(name)) return [[name, part]];
    if (!byName.has(name) || !isRecord(part)) return [[name, withoutPatterns(part)]];
    return [[name, Object.fromEntries(Object.entries(part).map(([key, each]) => [key, withoutPatterns(each)]))]];
  });
  return Object.fromEntries(kept);
}

/** How many schemas are looked at for one value, where every reference is followed; infinite for a circle. */
function stepsOf(node: unknown, root: JsonSchema, known: Map<unknown, number>): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + stepsOf(item, root, known), 0);
  if (!isRecord(node)) return 0;
  const before = known.get(node);
  if (before !== undefined) return before;
  known.set(node, Infinity);
  let steps = 1;
  for (const [key, item] of Object.entries(node)) {
    if (key === "$defs" || key === "definitions") continue;
    if (data.has(key)) steps += JSON.stringify(item).length / textOfStep;
    else if (key === "$ref") {
      const target = resolve(item, root);
      steps += target === undefined ? Infinity : stepsOf(target, root, known);
    } else steps += stepsOf(item, root, known);
  }
  known.set(node, steps);
  return steps;
}

/** How many parts a value has; what is beyond `most` is not counted. */
function sizeOf(value: unknown, max: number): number {
  const waiting = [value];
  let size = 0;
  while (waiting.length > 0 && size <= max) {
    const next = waiting.pop();
    size += typeof next === "string" ? 1 + next.length / valueOfStep : 1;
    if (typeof next === "object" && next !== null) for (const part of Object.values(next)) waiting.push(part);
  }
  return size;
}

/** The schema that a reference leads to; undefined for every other kind of reference than those within the schema. */
function resolve(reference: unknown, root: JsonSchema): unknown {
  if (reference === "#") return root;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((node, part) => (isRecord(node) ? node[unescapePointer(part)] : undefined), root);
}

/** One part of a JSON pointer in a fragment (RFC 6901, section 6). */
export function unescapePointer(part: string): string {
  const plain = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
