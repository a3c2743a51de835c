import { AppError } from "../errors.ts";
import { endOfText } from "../lib/json-depth.ts";

/** A string field of the outermost object, and its position, quotes included. */
export interface TextField {
  name: string;
  value: string;
  start: number;
  end: number;
}

/**
 * The outermost string fields with these names, in a valid JSON document. The rest of the document is neither parsed
 * nor rewritten: numbers and unknown fields stay as sent.
 * @throws AppError `bad_request` for a repeated name, also in another case, because runtimes do not agree which one
 *   counts
 */
export function readTextFields(json: string, names: readonly string[]): TextField[] {
  const found: TextField[] = [];
  const seen = new Set<string>();
  let depth = 0;
  let isKey = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (sign === '"') {
      const end = endOfText(json, at) + 1;
      // A name as long as this, escapes included, is none of those that are looked for.
      if (depth === 1 && isKey && end - at < 200) {
        const name = JSON.parse(json.slice(at, end)) as string;
        const meant = names.find((each) => each === name.toLowerCase());
        if (meant !== undefined) {
          if (seen.has(meant)) throw new AppError("bad_request", `The body names \`${meant}\` more than once`);
          seen.add(meant);
          if (name === meant) found.push(...textAt(json, name, end));
        }
      }
      isKey = false;
      at = end - 1;
    } else if (sign === "{" || sign === "[") {
      depth++;
      isKey = depth === 1 && sign === "{";
    } else if (sign === "}" || sign === "]") depth--;
    else if (sign === "," && depth === 1) isKey = true;
  }
  return found;
}

/** @param from behind the name */
function textAt(json: string, name: string, from: number): TextField[] {
  const colon = json.indexOf(":", from);
  const start = colon + 1 + /^\s*/.exec(json.slice(colon + 1, colon + 1000))![0].length;
  if (json[start] !== '"') return [];
  const end = endOfText(json, start) + 1;
  return [{ name, value: JSON.parse(json.slice(start, end)) as string, start, end }];
}

/** The document with other texts in these fields. */
export function replaceTexts(
  json: string,
  fields: readonly TextField[],
  replaced: (field: TextField) => string,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const field of fields) {
    parts.push(json.slice(from, field.start), JSON.stringify(replaced(field)));
    from = field.end;
  }
  return parts.join("") + json.slice(from);
}
