import { isSystemName } from "./system-values.ts";

/** Kinds of fields, named as in Open WebUI. */
export const variableTypes = [
  "text",
  "textarea",
  "select",
  "number",
  "range",
  "checkbox",
  "date",
  "datetime-local",
  "time",
  "month",
  "color",
  "email",
  "tel",
  "url",
] as const;
export type VariableType = (typeof variableTypes)[number];

/** Something that is asked for when a prompt is used. */
export interface Variable {
  name: string;
  type: VariableType;
  label: string;
  placeholder: string;
  default: string;
  options: string[];
  required: boolean;
  min: string;
  max: string;
  step: string;
}

/** A piece of a prompt: text as it is, or the place of a variable. */
export type Piece = string | { name: string; definition: string; raw: string };

/** So many variables are asked for; what is beyond stays text. */
const maxVariables = 50;

const nameOf = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_ .-]{0,59}$/u;

/**
 * Cuts a prompt into texts and places `{{name}}` or `{{name | type:property="value":required}}`. What is no such place, an open
 * one among them, is text.
 */
export function splitPrompt(content: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (let open = content.indexOf("{{"); open !== -1;) {
    const close = endOf(content, open + 2);
    const inner = close === -1 ? "" : content.slice(open + 2, close);
    const bar = inner.indexOf("|");
    const name = (bar === -1 ? inner : inner.slice(0, bar)).trim();
    if (nameOf.test(name)) {
      if (open > start) pieces.push(content.slice(start, open));
      pieces.push({
        name,
        definition: bar === -1 ? "" : inner.slice(bar + 1).trim(),
        raw: content.slice(open, close + 2),
      });
      start = close + 2;
      open = content.indexOf("{{", start);
    } else open = content.indexOf("{{", open + 1);
  }
  if (start < content.length) pieces.push(content.slice(start));
  return pieces;
}

/** Where the braces close, quoted texts left alone; -1 where they do not on this side of another opening or a long way on. */
function endOf(content: string, from: number): number {
  const farthest = Math.min(content.length - 1, from + 4000);
  let isQuoted = false;
  for (let at = from; at < farthest; at++) {
    const letter = content[at];
    if (letter === "\\" && isQuoted) at += 1;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && letter === "}" && content[at + 1] === "}") return at;
    else if (!isQuoted && letter === "{" && content[at + 1] === "{") return -1;
  }
  return -1;
}

/** What has to be asked for, each once, in the order in which it comes; system variables with a value are not asked for. */
export function parseVariables(content: string, known: ReadonlySet<string> = new Set()): Variable[] {
  const found = new Map<string, Variable>();
  for (const piece of splitPrompt(content)) {
    if (typeof piece === "string" || (isSystemName(piece.name) && known.has(piece.name))) continue;
    const before = found.get(piece.name);
    // One place may say more of it than the first.
    if (before && (piece.definition === "" || before.type !== "text")) continue;
    if (!before && found.size >= maxVariables) continue;
    found.set(piece.name, define(piece.name, piece.definition));
  }
  return [...found.values()];
}

function define(name: string, definition: string): Variable {
  const [type = "", ...rest] = splitDefinition(definition);
  const properties = new Map(
    rest.map((part) => {
      const at = part.indexOf("=");
      return at === -1 ? [part.trim(), ""] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    }),
  );
  const text = (property: string): string => unquote(properties.get(property) ?? "");
  const options = optionsOf(properties.get("options") ?? "");
  const wanted = variableTypes.find((each) => each === type.trim().toLowerCase()) ?? "text";
  return {
    name,
    // Nothing could be chosen.
    type: wanted === "select" && options.length === 0 ? "text" : wanted,
    label: text("label") || name.replaceAll("_", " "),
    placeholder: text("placeholder"),
    default: text("default"),
    options,
    required: properties.has("required"),
    min: text("min"),
    max: text("max"),
    step: text("step"),
  };
}

/** Parts between colons; those within quotes and brackets do not count. */
function splitDefinition(definition: string): string[] {
  const parts: string[] = [];
  let part = "";
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < definition.length; at++) {
    const letter = definition[at]!;
    if (letter === "\\" && isQuoted) part += definition[at++];
    else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && letter === "[") depth += 1;
    else if (!isQuoted && letter === "]") depth -= 1;
    if (letter === ":" && !isQuoted && depth <= 0) {
      parts.push(part);
      part = "";
    } else part += definition[at] ?? "";
  }
  return [...parts, part];
}

function unquote(value: string): string {
  const parsed = value.startsWith('"') ? tryParse(value) : undefined;
  if (typeof parsed === "string") return parsed;
  return /^(["']).*\1$/su.test(value) ? value.slice(1, -1) : value;
}

function optionsOf(value: string): string[] {
  const parsed = tryParse(value);
  const list = Array.isArray(parsed) ? (parsed as unknown[]) : value.replace(/^\[|\]$/g, "").split(",");
  const texts = list
    .filter((each) => typeof each === "string" || typeof each === "number")
    .map((each) => unquote(String(each).trim()))
    .filter((each) => each !== "");
  return [...new Set(texts)];
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
