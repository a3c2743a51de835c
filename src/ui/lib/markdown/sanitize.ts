import DOMPurify from "dompurify";

const tags = [
  "a",
  "b",
  "blockquote",
  "br",
  "center",
  "code",
  "del",
  "details",
  "div",
  "em",
  "h3",
  "h4",
  "h5",
  "h6",
  "hr",
  "i",
  "img",
  "input",
  "kbd",
  "li",
  "mark",
  "ol",
  "p",
  "pre",
  "s",
  "span",
  "strong",
  "sub",
  "summary",
  "sup",
  "table",
  "tbody",
  "td",
  "th",
  "thead",
  "tr",
  "u",
  "ul",
];
// No class, id, style or name: what a model writes must not be able to look like, or be found as, a part of the app.
const attributes = [
  "align",
  "alt",
  "checked",
  "data-depth",
  "data-footnote",
  "data-id",
  "data-language",
  "data-math",
  "data-mention",
  "data-picture",
  "disabled",
  "href",
  "open",
  "src",
  "start",
  "title",
  "type",
];

/**
 * Makes HTML from a model or another person safe to put into the page. The list of what passes is what `parser.ts`
 * writes itself; everything else is dropped. Needs a browser.
 */
export function sanitize(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP:
      /^(?:https?:|mailto:|tel:|data:image\/(?:png|jpe?g|gif|webp|avif);|[^a-z]|[a-z\d+.-]+(?:[^a-z\d+.:-]|$))/iu,
    RETURN_DOM_FRAGMENT: true,
  });
}
