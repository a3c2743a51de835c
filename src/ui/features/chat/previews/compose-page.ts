import type { Preview } from "./find-previews.ts";

/** What a preview is as a file. */
export interface PageFile {
  name: string;
  type: string;
  text: string;
}

/** One document of a page with its styles and scripts: what is shown, and what is saved. */
export function composePage({
  html,
  styles,
  scripts,
}: {
  html: string;
  styles: readonly string[];
  scripts: readonly string[];
}): string {
  const head = styles.map((style) => `<style>\n${style.replaceAll(/<\/(?=style)/giu, "<\\/")}\n</style>\n`).join("");
  const tail = scripts
    .map((script) => `<script>\n${script.replaceAll(/<\/(?=script)/giu, "<\\/")}\n</script>\n`)
    .join("");
  const isWhole = /<(?:!doctype|html|body)[\s>]/iu.test(html);
  if (!isWhole) {
    const meta = '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n';
    return `<!doctype html>\n<html>\n<head>\n${meta}${head}</head>\n<body>\n${html}\n${tail}</body>\n</html>\n`;
  }
  return insertBefore(
    insertBefore(html, /<\/head\s*>/iu, head, "start"),
    /<\/body\s*>(?![\s\S]*<\/body)/iu,
    tail,
    "end",
  );
}

function insertBefore(text: string, place: RegExp, added: string, otherwise: "start" | "end"): string {
  if (added === "") return text;
  const at = place.exec(text)?.index;
  if (at !== undefined) return text.slice(0, at) + added + text.slice(at);
  return otherwise === "start" ? added + text : text + added;
}

/** A drawing in the middle of an empty page. */
export function composeDrawing(svg: string): string {
  const style =
    "html,body{height:100%;margin:0}body{display:grid;place-items:center}svg{max-width:100%;max-height:100%}";
  return `<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<style>${style}</style>\n</head>\n<body>\n${svg.replace(/^\s*<\?xml[^>]*>/u, "")}\n</body>\n</html>\n`;
}

/** The page that a component is mounted in. */
export function composeRoot(styles: readonly string[]): string {
  return composePage({ html: '<div id="root"></div>', styles, scripts: [] });
}

export function fileOf(preview: Preview): PageFile {
  switch (preview.kind) {
    case "page":
      return { name: "page.html", type: "text/html", text: composePage(preview) };
    case "component":
      return { name: "component.jsx", type: "text/plain", text: preview.code };
    case "drawing":
      return { name: "drawing.svg", type: "image/svg+xml", text: preview.svg };
    case "table":
      return { name: "table.csv", type: "text/csv", text: preview.text };
  }
}
