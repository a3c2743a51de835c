import type { HLJSApi } from "highlight.js";
import { findLanguage } from "./languages.ts";

/** Longer listings are coloured beside the page, which they would hold up. */
const maxLength = 20_000;
/** Even longer ones stay plain: a browser is slow with so many pieces of text. */
const maxAside = 2_000_000;

let core: HLJSApi | undefined;
const loaded = new Set<string>();

/** Colours all code of a block whose language is known. Grammars load on demand; without them the code stays plain. */
export function highlightAll(element: HTMLElement): void {
  for (const pre of element.querySelectorAll<HTMLPreElement>("pre[data-language]")) {
    const code = pre.querySelector("code");
    const language = findLanguage(pre.dataset["language"] ?? "");
    const length = code?.textContent?.length ?? 0;
    if (!code || !language || length > maxAside) continue;
    if (length > maxLength)
      void import("./highlight-aside.ts").then((aside) => aside.highlightAside(code, language.name));
    else if (loaded.has(language.name)) paint(code, language.name);
    else
      void load(language).then(
        () => paint(code, language.name),
        () => undefined,
      );
  }
}

function paint(code: HTMLElement, name: string): void {
  if (!core || code.dataset["painted"] !== undefined) return;
  code.dataset["painted"] = "";
  // Safe: the highlighter escapes the source and adds nothing but its own spans.
  code.innerHTML = core.highlight(code.textContent ?? "", { language: name, ignoreIllegals: true }).value;
}

async function load(language: {
  name: string;
  load: () => Promise<{ default: Parameters<HLJSApi["registerLanguage"]>[1] }>;
}): Promise<void> {
  const [highlighter, grammar] = await Promise.all([import("highlight.js/lib/core"), language.load()]);
  core = highlighter.default;
  core.registerLanguage(language.name, grammar.default);
  loaded.add(language.name);
}
