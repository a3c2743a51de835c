/** A link that was opened in a paragraph; an empty target is one that leads nowhere outside. */
export interface OpenLink {
  target: string;
  /** Where its text begins in the paragraph. */
  start: number;
}

/** Makes Markdown of a link's text, unless the text says already where it leads. */
export function closeLink(link: OpenLink | undefined, paragraph: { text: string } | undefined): void {
  if (!link || link.target === "" || !paragraph) return;
  const text = paragraph.text.slice(link.start);
  if (text.trim() === "" || link.target.includes(text.trim())) return;
  paragraph.text = `${paragraph.text.slice(0, link.start)}[${text.replaceAll("]", "")}](${link.target.replaceAll(/[\s)]/g, encodeURIComponent)})`;
}
