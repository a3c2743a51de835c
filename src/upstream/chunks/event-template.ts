import { isRecord } from "../../lib/json.ts";
import type { TextField } from "../answers/accumulate-reply.ts";
import type { Chunk } from "./chunk-shape.ts";

/**
 * What two events of a stream have in common if they differ in one text only. An event that begins with `before`, ends
 * with `after` and has a plain text between them is the same JSON document except for that string, so everything known
 * from parsing the first one applies to it too, without JSON.parse. Most events of most streams are like that. All four
 * parts include the frame (`data: ` and the blank line).
 */
export interface EventTemplate {
  before: string;
  after: string;
  /** The same two parts of the output. */
  outBefore: string;
  outAfter: string;
  /** Whether the output equals the input. */
  untouched: boolean;
  choice: number;
  field: TextField;
}

const fields: TextField[] = ["content", "reasoning_content", "refusal"];

/**
 * Characters that end a JSON string, begin an escape, or are not allowed in one: control characters, all below the
 * space.
 */
const special = /["\\]|[^ -\uffff]/;

/** Splits the document around the value of the field, if the key and text are unique in it. */
function cut(document: string, field: string, value: string): { before: string; after: string } | undefined {
  const keys = [`"${field}":"`, `"${field}": "`];
  const starts = keys.flatMap((key) => {
    const first = document.indexOf(key);
    if (first === -1) return [];
    return first === document.lastIndexOf(key) ? [first + key.length] : [-1, -1];
  });
  const [start] = starts;
  if (starts.length !== 1 || start === undefined) return undefined;
  // Another spelling of the same text (escapes that need not be) is simply not taken as a pattern.
  const end = start + value.length;
  if (special.test(value) || document.slice(start, end) !== value || document[end] !== '"') return undefined;
  return { before: `data: ${document.slice(0, start)}`, after: `${document.slice(end)}\n\n` };
}

/**
 * The template that an event provides for later events, or undefined if it is not suitable.
 * @param data the event's own text
 * @param out the text that was sent for it
 * @param chunk the chunk that was sent; it must not be the first of its choice
 */
export function makeTemplate(data: string, out: string, chunk: Chunk): EventTemplate | undefined {
  const choices = chunk["choices"];
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
  if (!isRecord(choice) || !isRecord(choice["delta"])) return undefined;
  const { delta } = choice;
  if ("role" in delta || (Array.isArray(delta["tool_calls"]) && delta["tool_calls"].length > 0)) return undefined;
  const filled = fields.filter((field) => typeof delta[field] === "string" && delta[field] !== "");
  const [field] = filled;
  if (filled.length !== 1 || field === undefined) return undefined;
  const value = delta[field] as string;
  // Thoughts go out under one name, whatever the upstream calls them.
  const own = cut(data, field, value) ?? (field === "reasoning_content" ? cut(data, "reasoning", value) : undefined);
  const sent = out === data ? own : cut(out, field, value);
  if (!own || !sent) return undefined;
  const parts = { ...own, outBefore: sent.before, outAfter: sent.after, untouched: out === data };
  return { ...parts, choice: choice["index"] as number, field };
}

/** The text of the event at `at`, if it matches the template; its end is `at` + `before` + text + `after`. */
export function matchTemplate(template: EventTemplate, stream: string, at: number): string | undefined {
  const { before, after } = template;
  if (!stream.startsWith(before, at)) return undefined;
  const start = at + before.length;
  const end = stream.indexOf('"', start);
  if (end === -1 || !stream.startsWith(after, end)) return undefined;
  const text = stream.slice(start, end);
  // An event that says nothing may have to be treated otherwise: after a finish reason it is dropped.
  return text === "" || special.test(text) ? undefined : text;
}
