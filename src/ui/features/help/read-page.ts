import { places } from "./pages.ts";

/** A page of docs/, split at its `##` headings. All texts are Markdown whose links work inside the app. */
export interface HelpPage {
  /** The file's name without its ending. */
  slug: string;
  title: string;
  /** Words that people use for the subject and the text does not. */
  words: string;
  /** What stands before the first section. */
  intro: string;
  sections: HelpSection[];
}

export interface HelpSection {
  heading: string;
  /** As GitHub makes it from the heading. */
  anchor: string;
  text: string;
}

const comments = /^<!--[\s\S]*?-->\n?/gm;

export function readPage(slug: string, source: string): HelpPage {
  const words = /^<!-- words: (.*?) -->$/m.exec(source)?.[1] ?? "";
  const [head = "", ...parts] = splitAtHeadings(source.replace(comments, ""));
  const [, title = slug, intro = ""] = /^# (.*)\n([\s\S]*)$/.exec(head) ?? [];
  const sections = parts.map((part) => {
    const [, heading = "", text = ""] = /^## (.*)\n?([\s\S]*)$/.exec(part) ?? [];
    return { heading, anchor: anchorOf(heading), text: linkInside(text.trim()) };
  });
  return { slug, title, words, intro: linkInside(intro.trim()), sections };
}

/** The id that GitHub gives a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

/** A `##` inside a code block is no heading. */
function splitAtHeadings(source: string): string[] {
  let isCode = false;
  const parts: string[][] = [[]];
  for (const line of source.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    if (!isCode && line.startsWith("## ")) parts.push([]);
    parts.at(-1)!.push(line);
  }
  return parts.map((lines) => lines.join("\n"));
}

/** Links to other pages lead to Help, and places of the app become links. */
function linkInside(text: string): string {
  return text
    .replace(/\]\(([a-z-]+)\.md(#[^)]*)?\)/g, (_, slug: string, hash = "") => `](/help/${slug}${hash})`)
    .replace(/\*\*([^*\n]+)\*\*/g, (bold: string, place: string) =>
      places[place] === undefined ? bold : `[${place}](${places[place]})`,
    );
}
