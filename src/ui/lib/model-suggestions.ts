import { isObject } from "../../shared/moving-in/read-values.ts";

/** Questions that a model suggests for new chats (`meta.suggestion_prompts`, as clients of Open WebUI store them). */
export function suggestionsIn(meta: object | null | undefined): string[] {
  const list = isObject(meta) ? meta["suggestion_prompts"] : undefined;
  if (!Array.isArray(list)) return [];
  const texts = list.map((entry: unknown) => (isObject(entry) ? entry["content"] : entry));
  const found = texts.filter((text): text is string => typeof text === "string").map((text) => oneLine(text));
  return [...new Set(found)].filter((text) => text !== "");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 1000);
}
