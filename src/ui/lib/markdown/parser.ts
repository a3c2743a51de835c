import { Marked, type MarkedOptions, type RendererObject, type Tokens } from "marked";
import { type Mention, readMentions, spellMention } from "../../../shared/mentions.ts";
import { BoundedLexer, hugeTable } from "./bounded-lexer.ts";
import { findBlockMath, findInlineMath, nextMathStart } from "./find-math.ts";
import { footnoteExtensions } from "./footnotes.ts";
import type { PlacedHeading } from "./outline-headings.ts";

/** HTML that models use on purpose inside Markdown. Any other tag is shown as the text it is: `List<String>` stays readable. */
const writtenTags =
  /^(?:<!--[\s\S]*?-->|<\/?(?:br|hr|sub|sup|kbd|mark|details|summary|b|i|u|s|strong|em|p|div|span|center)\b[^>]*>|[^<])+$/iu;

const renderer: RendererObject = {
  html({ text }) {
    return writtenTags.test(text) ? text : escapeHtml(text);
  },
  code({ text, lang }) {
    const language = escapeHtml(lang?.trim().split(/\s/u)[0] ?? "");
    return `<pre data-language="${language}"><code>${escapeHtml(text)}\n</code></pre>\n`;
  },
  /** An answer's headings are parts of a page that has its own title, so the first level of a text is the third one. */
  heading({ tokens, depth, level = Math.min(depth + 2, 6) }: PlacedHeading) {
    return `<h${level} data-depth="${depth}">${this.parser.parseInline(tokens)}</h${level}>\n`;
  },
  link({ href, title, tokens }) {
    const text = this.parser.parseInline(tokens);
    if (!isSafeAddress(href)) return text;
    const hint = title ? ` title="${escapeHtml(title)}"` : "";
    return `<a href="${escapeHtml(href)}"${hint}>${text}</a>`;
  },
  /** Pictures of this service or within the text have their address; one from elsewhere has it where nothing loads it. */
  image({ href, title, text }) {
    const isOwn = isOwnPath(href) || /^data:image\/(?:png|jpe?g|gif|webp|avif);/iu.test(href);
    const address = isOwn ? undefined : outsideAddress(href);
    if (!isOwn && address === undefined) return escapeHtml(text || href);
    const hint = title ? ` title="${escapeHtml(title)}"` : "";
    const place = address === undefined ? `src="${escapeHtml(href)}"` : `data-picture="${escapeHtml(address)}"`;
    return `<img ${place} alt="${escapeHtml(text)}"${hint}>`;
  },
};

/** Parser options of all answers: GitHub's Markdown, formulas, and renderers that emit only what `sanitize` lets pass. */
export const markdown = new Marked({ gfm: true, breaks: false, renderer });

const blockMathStart = /(?:^|\n) {0,3}(?:\$\$|\\\[)/u;

markdown.use({
  tokenizer: {
    // The first thing that is looked for at each step. False: looked for as always.
    escape(src) {
      if (this.lexer instanceof BoundedLexer) this.lexer.count(src.length);
      return false;
    },
    table: (src) => hugeTable(src) as Tokens.Table | false,
  },
  extensions: [
    ...footnoteExtensions,
    {
      name: "mathBlock",
      level: "block",
      start(src) {
        const { lexer } = this;
        return lexer instanceof BoundedLexer ? lexer.findStart(src, blockMathStart) : blockMathStart.exec(src)?.index;
      },
      tokenizer(src) {
        const found = findBlockMath(src);
        return found && { type: "mathBlock", ...found };
      },
      renderer: (token) => mathHtml(token, "div"),
    },
    {
      name: "mathInline",
      level: "inline",
      start: (src) => {
        const at = nextMathStart(src);
        return at < 0 ? undefined : at;
      },
      tokenizer(src, tokens) {
        const before = Array.isArray(tokens) ? (tokens.at(-1)?.raw.at(-1) ?? "") : "";
        const found = findInlineMath(src, before);
        return found && { type: "mathInline", ...found };
      },
      renderer: (token) => mathHtml(token, "span"),
    },
    {
      name: "mention",
      level: "inline",
      start: (src) => {
        const at = src.search(/<[@#][UMC]:/u);
        return at < 0 ? undefined : at;
      },
      tokenizer(src) {
        if (!(this.lexer.options as TalkOptions).mentions) return undefined;
        const [mention] = readMentions(src.slice(0, maxMentionLength));
        return mention?.start === 0 ? { type: "mention", raw: src.slice(0, mention.end), mention } : undefined;
      },
      renderer: (token) => mentionHtml(token["mention"] as Mention),
    },
  ],
});

// Not by `use`, which cannot see when the original has ended.
const tokenizer = markdown.defaults.tokenizer!;
const { blockquote, list } = tokenizer;
tokenizer.blockquote = function (src) {
  const build = () => blockquote.call(this, src);
  return (this.lexer instanceof BoundedLexer ? this.lexer.nest(src, build) : build()) as Tokens.Blockquote | undefined;
};
tokenizer.list = function (src) {
  const build = () => list.call(this, src);
  return (this.lexer instanceof BoundedLexer ? this.lexer.nest(src, build) : build()) as Tokens.List | undefined;
};

/** Options of the lexer for what people write to each other. */
export interface TalkOptions extends MarkedOptions {
  /** Codes of names, such as `<@U:id|label>`, are names. */
  mentions?: boolean;
}

const maxMentionLength = 600;

function mentionHtml(mention: Mention): string {
  return `<span data-mention="${mention.kind}" data-id="${escapeHtml(mention.id)}">${escapeHtml(spellMention(mention))}</span>`;
}

function mathHtml(token: Tokens.Generic, element: "div" | "span"): string {
  if (token["closed"] === false)
    return `<pre data-language="math"><code>${escapeHtml(String(token["tex"]))}</code></pre>`;
  const mode = token["display"] === true ? "display" : "inline";
  return `<${element} data-math="${mode}">${escapeHtml(String(token["tex"]))}</${element}>`;
}

/** Web, mail and phone addresses and places on this site; never `javascript:`, `data:` or a scheme nobody asked for. */
export function isSafeAddress(href: string): boolean {
  const plain = withoutControls(href);
  return /^(?:https?:|mailto:|tel:)/iu.test(plain) || !/^[a-z][a-z\d+.-]*:/iu.test(plain);
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** A path of this service. Browsers read a second slash, backward ones too, as the beginning of another host. */
function isOwnPath(href: string): boolean {
  return /^\/(?![/\\])/u.test(withoutControls(href));
}

/** Browsers skip control characters and spaces in front of and inside an address, so they are skipped here too. */
function withoutControls(href: string): string {
  // oxlint-disable-next-line no-control-regex
  return href.replace(/[\u0000-\u0020\u007F-\u00A0]/gu, "");
}

/** The absolute address of something on another site; undefined for other texts. */
function outsideAddress(href: string): string | undefined {
  const plain = withoutControls(href);
  const whole = /^[/\\]{2}/u.test(plain) ? `https:${plain}` : href.trim();
  return /^https?:/iu.test(whole) && URL.canParse(whole) ? new URL(whole).href : undefined;
}
