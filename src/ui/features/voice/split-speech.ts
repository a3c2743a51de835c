import { locale } from "../../lib/language.ts";

/** A text as it is read: without markup, code named but not spelled. */
export function spokenText(markdown: string, codeWord: string): string {
  return markdown
    .replace(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gmu, `\n${codeWord}.\n`)
    .replace(/!\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(/\[\d+\]/gu, "")
    .replace(/https?:\/\/\S+/gu, "")
    .replace(/^\s*(?:[#>]+|[-*+]|\|)\s?/gmu, "")
    .replace(/[*_`~|]+/gu, "");
}

/** Longest piece that is read at once. */
const maxLength = 600;

/**
 * The sentences of a text that can be read now. While a text is still being written, its last sentence waits: it may go on.
 */
export function sentencesIn(text: string, isWhole: boolean): string[] {
  const segmenter = new Intl.Segmenter(locale, { granularity: "sentence" });
  const all = text
    .split(/\n+/u)
    .flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => segment.trim()))
    .flatMap((sentence) => sentence.match(new RegExp(`[\\s\\S]{1,${maxLength}}`, "gu")) ?? [])
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  return isWhole ? all : all.slice(0, -1);
}
