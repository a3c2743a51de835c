import { type CodeBlock, readCodeBlocks } from "./read-code-blocks.ts";

/** Something in an answer that can be shown: a page of one or several blocks, a component, a drawing, a table. */
export type Preview =
  | { kind: "page"; html: string; styles: string[]; scripts: string[]; blocks: readonly CodeBlock[] }
  | { kind: "component"; code: string; styles: string[]; blocks: readonly CodeBlock[] }
  | { kind: "drawing"; svg: string; blocks: readonly CodeBlock[] }
  | { kind: "table"; text: string; separator: string | undefined; blocks: readonly CodeBlock[] };

/** Longest code of one preview, in UTF-16 units. */
const maxLength = 1_000_000;

const languages: Record<string, "html" | "css" | "js" | "jsx" | "svg" | "csv"> = {
  html: "html",
  htm: "html",
  xhtml: "html",
  css: "css",
  js: "js",
  javascript: "js",
  jsx: "jsx",
  tsx: "jsx",
  react: "jsx",
  svg: "svg",
  csv: "csv",
  tsv: "csv",
};

/**
 * What can be shown of an answer, in order. Only blocks that are complete count. The styles and scripts of an answer belong to each of its pages; where it
 * has no page, a script that works on a page gets an empty one.
 */
export function findPreviews(text: string): Preview[] {
  if (last?.text !== text) last = { text, previews: readPreviews(text) };
  return last.previews;
}

/** All blocks of an answer ask for the same text. */
let last: { text: string; previews: Preview[] } | undefined;

function readPreviews(text: string): Preview[] {
  const blocks = readCodeBlocks(text).filter(({ isComplete, code }) => isComplete && code.length <= maxLength);
  const of = (wanted: string): CodeBlock[] => blocks.filter((block) => kindOf(block) === wanted);
  const [styles, scripts] = [of("css"), of("js").filter(({ code }) => isForPages(code))];
  const hasPage = blocks.some((block) => kindOf(block) === "html" || kindOf(block) === "jsx");
  const found: Preview[] = [];
  for (const block of blocks) {
    const { code } = block;
    switch (kindOf(block)) {
      case "html":
        found.push({
          kind: "page",
          html: code,
          styles: styles.map(codeOf),
          scripts: scripts.map(codeOf),
          blocks: [block, ...styles, ...scripts],
        });
        break;
      case "jsx":
        found.push({ kind: "component", code, styles: styles.map(codeOf), blocks: [block, ...styles] });
        break;
      case "svg":
        found.push({ kind: "drawing", svg: code, blocks: [block] });
        break;
      case "csv":
        found.push({
          kind: "table",
          text: code,
          separator: block.language === "tsv" ? "\t" : undefined,
          blocks: [block],
        });
        break;
      case "js":
        // Once, for all scripts together.
        if (!hasPage && block === scripts[0])
          found.push({
            kind: "page",
            html: "",
            styles: styles.map(codeOf),
            scripts: scripts.map(codeOf),
            blocks: [...scripts, ...styles],
          });
        break;
      default:
    }
  }
  return found;
}

/** Where the preview that this code belongs to stands among those of the answer; undefined where there is none. */
export function previewOf(text: string, code: string): number | undefined {
  const wanted = code.trimEnd();
  const previews = findPreviews(text);
  const has = ({ blocks }: Preview, from: number, to?: number): boolean =>
    blocks.slice(from, to).some((block) => block.code.trimEnd() === wanted);
  const own = previews.findIndex((preview) => has(preview, 0, 1));
  const index = own < 0 ? previews.findIndex((preview) => has(preview, 1)) : own;
  return index < 0 ? undefined : index;
}

function kindOf({ language, code }: CodeBlock): string | undefined {
  const kind = languages[language];
  const isSvg = (language === "xml" || kind === "html") && /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s/>]/iu.test(code);
  return isSvg ? "svg" : kind;
}

/** Scripts for Node and modules with imports cannot run in a page that has no network. */
function isForPages(code: string): boolean {
  return (
    /\b(?:document|window|canvas|requestAnimationFrame)\b/u.test(code) && !/\brequire\(|^\s*import\s[^(]/mu.test(code)
  );
}

function codeOf({ code }: CodeBlock): string {
  return code;
}
