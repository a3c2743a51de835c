import { cleanText } from "../lib/clean-text.ts";
import { isRecord, tryParseJson } from "../lib/json.ts";

/** Longest title that a model may give, in characters. */
const maxLength = 80;

/**
 * The title in a model's plain-text answer: without reasoning, Markdown, quotes and "Title:". Undefined if nothing is
 * left, or if it is clearly not a title.
 */
export function cleanTitle(answer: string): string | undefined {
  const thought = answer.replaceAll(
    /<(think|thinking|thought|reason|reasoning|reflection)\b[^>]*>[\s\S]*?(<\/\1>|$)/gi,
    "",
  );
  const said = fromJson(thought) ?? thought;
  const line = said
    .split("\n")
    .map((each) => unwrap(each))
    .find((each) => each !== "");
  if (line === undefined) return undefined;
  const characters = [...cleanText(line)];
  if (characters.length <= maxLength) return characters.join("");
  const cut = characters.slice(0, maxLength - 1).join("");
  const blank = cut.lastIndexOf(" ");
  return `${(blank > maxLength / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}

/** Models that were trained on other services answer `{"title": "..."}`, often in a code block. */
function fromJson(text: string): string | undefined {
  const from = text.indexOf("{");
  const to = text.lastIndexOf("}");
  const value = from >= 0 && to > from ? tryParseJson(text.slice(from, to + 1)) : undefined;
  return isRecord(value) && typeof value["title"] === "string" ? value["title"] : undefined;
}

const quotes = [`""`, `''`, "``", "“”", "„“", "‘’", "«»", "»«", "「」", "『』"];

function unwrap(line: string): string {
  let text = line.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  if (text.startsWith("```")) return "";
  for (let before = ""; before !== text;) {
    before = text;
    text = text
      .replace(/^(?:#+|[-*+>])\s+/, "")
      .replace(/^(\*\*|__|[*_])(.+)\1$/, "$2")
      .replace(/^(?:\*\*)?(?:title|name|titel|titre|título|заголовок|标题|タイトル)(?:\*\*)?\s*[:：](?:\*\*)?\s*/i, "")
      .trim();
    text = text.replace(/[.。:：]+$/, "").trim();
    const pair = quotes.find((each) => text.length > 2 && text.startsWith(each[0]!) && text.endsWith(each[1]!));
    if (pair) text = text.slice(1, -1).trim();
  }
  return text.replaceAll(/(\*\*|`)(?=\S)(.*?\S)\1/g, "$2");
}
