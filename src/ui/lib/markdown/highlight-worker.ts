import core from "highlight.js/lib/core";
import { findLanguage } from "./languages.ts";
import { sliceColours } from "./slice-colours.ts";

/** Code to be highlighted. */
export interface HighlightTask {
  id: number;
  code: string;
  /** As after a fence. */
  language: string;
}

/** What became of it; without slices it stays plain. */
export interface HighlightResult {
  id: number;
  slices: string[];
}

globalThis.addEventListener("message", (event: MessageEvent<HighlightTask>) => {
  const { id, code, language } = event.data;
  void highlight(code, language)
    .catch(() => [])
    .then((slices) => postMessage({ id, slices } satisfies HighlightResult));
});

async function highlight(code: string, label: string): Promise<string[]> {
  const language = findLanguage(label);
  if (!language) return [];
  if (!core.getLanguage(language.name)) core.registerLanguage(language.name, (await language.load()).default);
  return sliceColours(core.highlight(code, { language: language.name, ignoreIllegals: true }).value);
}
