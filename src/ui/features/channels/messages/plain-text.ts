import { spellMentions } from "../../../../shared/mentions.ts";

/** Longest text that is looked at: a line shows far less. */
const most = 400;

/** The words of a message in one line, for quotes, lists and announcements: names instead of their codes, without marks. Pure. */
export function plainText(content: string): string {
  return spellMentions(content.slice(0, most))
    .replaceAll(/```\w*|[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}|^\s*(?:#{1,6}|>|[-*])\s+/gmu, "")
    .replaceAll(/!?\[([^\]\n]{0,200})\]\([^)\n]{0,400}\)/gu, "$1")
    .replaceAll(/\s+/gu, " ")
    .trim();
}
