import { isRecord, textsIn, tryParseJson } from "../lib/json.ts";

/** The texts in a model's answer: JSON with a list, or with a list under this key, also in a code block or after its reasoning. */
export function readList(answer: string, key: string): string[] {
  const said = answer.replaceAll(/<(think|thinking|thought|reasoning)\b[^>]*>[\s\S]*?(<\/\1>|$)/gi, "");
  const start = said.search(/[{[]/);
  const end = Math.max(said.lastIndexOf("}"), said.lastIndexOf("]"));
  const value = start === -1 ? undefined : tryParseJson(said.slice(start, end + 1));
  return textsIn(isRecord(value) ? value[key] : value);
}
