import { htmlToMarkdown } from "mdream";
import { DocumentError, type Piece } from "../../document.ts";
import { resolvePath } from "../../xml/read-relations.ts";
import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";

const maxChapters = 10_000;
/** Longest chapter: it is held as a whole. */
const maxChapterLength = 8e6;

interface Chapter {
  part: string;
  label: string | null;
}

/** An electronic book (EPUB), chapter by chapter in the order of reading; labels are the titles of its table of contents. */
export function* readBook(parts: ZipPackage, contentType: string): Generator<Piece, undefined> {
  refuseProtected(parts);
  const { chapters, title } = readOutline(parts);
  if (chapters.length === 0) throw new DocumentError("file_corrupt", "It is damaged: its chapters are missing");
  yield { type: "kind", contentType, unit: "pages", total: null };
  for (const { part, label } of chapters) {
    const markdown = htmlToMarkdown(parts.text(part, maxChapterLength)).trim();
    if (markdown !== "") yield { type: "text", text: `${tidyMarkdown(markdown)}\n\n`, page: null, label };
  }
  yield { type: "end", pages: null, title };
}

/** Without what leads into the book itself or to its pictures: nobody could follow. */
function tidyMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/!\[([^\]\n]*)\]\([^)\n]*\)/g, (_, description: string) =>
      description.trim() === "" ? "" : `[Picture: ${description}]`,
    )
    .replaceAll(/\[([^\]\n]*)\]\((?!https?:|mailto:)[^)\n]*\)/g, "$1");
}

/** Fonts are often scrambled for their licences; with chapters it is a protection. */
function refuseProtected(parts: ZipPackage): void {
  let isProtected = false;
  const reading = readXml(parts.open("META-INF/encryption.xml"), {
    open(name, attributes) {
      if (name === "CipherReference") isProtected ||= /\.x?html?$/i.test(attributes.get("URI") ?? "");
    },
    close: () => undefined,
    text: () => undefined,
  });
  for (const _ of reading);
  if (isProtected) throw new DocumentError("file_encrypted", "It is protected against copying");
}

function readOutline(parts: ZipPackage): { chapters: Chapter[]; title: string | null } {
  const outline = findOutline(parts);
  const folder = outline.slice(0, outline.lastIndexOf("/") + 1);
  const items = new Map<string, { path: string; type: string; properties: string }>();
  const order: string[] = [];
  let title = "";
  let inTitle = false;
  const reading = readXml(parts.open(outline), {
    open(name, attributes) {
      inTitle = name === "title" && title === "";
      if (name === "item" && items.size < maxChapters * 5)
        items.set(attributes.get("id") ?? "", {
          path: resolvePath(folder, decodePath(attributes.get("href") ?? "")),
          type: attributes.get("media-type") ?? "",
          properties: attributes.get("properties") ?? "",
        });
      if (name === "itemref" && order.length < maxChapters) order.push(attributes.get("idref") ?? "");
    },
    close() {
      inTitle = false;
    },
    text(text) {
      if (inTitle) title += text;
    },
  });
  for (const _ of reading);
  const all = [...items.values()];
  const contents = all.find(({ properties }) => properties.split(" ").includes("nav"))?.path;
  const old = all.find(({ type }) => type === "application/x-dtbncx+xml")?.path;
  const labels = readLabels(parts, contents ?? old ?? "");
  const seen = new Set<string>();
  const chapters = order.flatMap((id) => {
    const part = items.get(id)?.path ?? "";
    if (!parts.has(part) || part === contents || seen.has(part)) return [];
    seen.add(part);
    return [{ part, label: labels.get(part) ?? null }];
  });
  return { chapters, title: title.trim().slice(0, 500) || null };
}

function findOutline(parts: ZipPackage): string {
  let path = "";
  const reading = readXml(parts.open("META-INF/container.xml"), {
    open(name, attributes) {
      if (name === "rootfile" && path === "") path = resolvePath("", attributes.get("full-path") ?? "");
    },
    close: () => undefined,
    text: () => undefined,
  });
  for (const _ of reading);
  return path;
}

/** Titles by the chapters they lead to, from the table of contents of either version of the format. */
function readLabels(parts: ZipPackage, contents: string): Map<string, string> {
  const folder = contents.slice(0, contents.lastIndexOf("/") + 1);
  const labels = new Map<string, string>();
  let label = "";
  let target = "";
  const add = (href: string, text: string) => {
    const part = resolvePath(folder, decodePath(href.split("#")[0]!));
    const tidy = text.replaceAll(/\s+/g, " ").trim().slice(0, 300);
    if (tidy !== "" && !labels.has(part) && labels.size < maxChapters) labels.set(part, tidy);
  };
  try {
    const reading = readXml(parts.open(contents), {
      open(name, attributes) {
        if (name === "a" || name === "navPoint") label = "";
        if (name === "a") target = attributes.get("href") ?? "";
        if (name === "content") add(attributes.get("src") ?? "", label);
      },
      close(name) {
        if (name === "a") add(target, label);
      },
      text(text) {
        if (label.length < 1000) label += text;
      },
    });
    for (const _ of reading);
  } catch (error) {
    // Titles are an extra: a table of contents that is not well-formed costs only them.
    if (!(error instanceof DocumentError) || error.code !== "file_corrupt") throw error;
  }
  return labels;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
