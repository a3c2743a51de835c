import { isRecord } from "../../lib/json.ts";
import type { JsonSchema } from "../plugin-host.ts";

/** More steps than any form of valves needs. */
const maxSteps = 20_000;

/**
 * A plugin's schema as one that may be checked here, where everyone's requests run: without regular expressions, which can
 * take for ever, and undefined where it refers to itself or doubles with every reference. The plugin's own model looks at
 * its values again when it is opened, inside its walls.
 */
export function checkableSchema(schema: JsonSchema): JsonSchema | undefined {
  const plain = withoutPatterns(schema) as JsonSchema;
  return stepsOf(plain, plain, new Map()) <= maxSteps ? plain : undefined;
}

/** Keywords that are left to the plugin's own model. */
const left = new Set([
  "pattern",
  "patternProperties",
  "format",
  "$id",
  "$schema",
  "$anchor",
  "$recursiveRef",
  "$recursiveAnchor",
]);

function withoutPatterns(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPatterns(item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      // Below `properties` and the like, keys are names and no keywords.
      .filter(([key]) => isMap || !left.has(key))
      .map(([key, item]) => [
        key,
        withoutPatterns(item, !isMap && ["properties", "$defs", "definitions"].includes(key)),
      ]),
  );
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
    if (key === "default" || key === "examples" || key === "enum" || key === "const") continue;
    if (key === "$ref") {
      const target = resolve(item, root);
      steps += target === undefined ? Infinity : stepsOf(target, root, known);
    } else steps += stepsOf(item, root, known);
  }
  known.set(node, steps);
  return steps;
}

/** The schema that a reference leads to; undefined for every other kind of reference than those that plugins' models make. */
function resolve(reference: unknown, root: JsonSchema): unknown {
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
