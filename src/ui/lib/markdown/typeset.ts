import type Katex from "katex";

let katex: typeof Katex | undefined;
let loading: Promise<void> | undefined;
/** The block that is still arriving is built again at every step; its formulas need not be. */
const known = new Map<string, string>();
const knownLimit = 300;
/** Characters of a formula. */
const maxLength = 10_000;

/** Sets all formulas below a node. The typesetter loads when the first formula appears; until then its source stands there. */
export function typesetAll(root: ParentNode): void {
  const formulas = [...root.querySelectorAll<HTMLElement>("[data-math]")];
  if (formulas.length === 0) return;
  if (katex) for (const formula of formulas) typeset(formula);
  else
    void load().then(
      () => formulas.forEach(typeset),
      () => undefined,
    );
}

function typeset(formula: HTMLElement): void {
  const tex = formula.textContent ?? "";
  const display = formula.dataset["math"] === "display";
  const key = `${display ? "d" : "i"}${tex}`;
  let html = known.get(key);
  if (html === undefined) {
    html = tex.length > maxLength ? "" : toHtml(tex, display);
    if (known.size >= knownLimit) known.clear();
    known.set(key, html);
  }
  // What cannot be set stays as it was written.
  if (html === "") return;
  if (display) {
    formula.tabIndex = 0;
    formula.role = "math";
  }
  formula.dir = "ltr";
  // Safe: KaTeX escapes its input and `trust: false` refuses commands that write HTML or addresses.
  formula.innerHTML = html;
}

/** Empty if it cannot be set: braces inside of each other by the thousand, for example, overflow the stack. */
function toHtml(tex: string, displayMode: boolean): string {
  try {
    return (
      katex?.renderToString(tex, {
        displayMode,
        throwOnError: false,
        trust: false,
        strict: "ignore",
        maxExpand: 500,
        maxSize: 30,
      }) ?? ""
    );
  } catch {
    return "";
  }
}

function load(): Promise<void> {
  loading ??= Promise.all([import("katex"), import("katex/dist/katex.min.css")]).then(
    ([module]) => {
      katex = module.default;
    },
    (cause: unknown) => {
      loading = undefined;
      throw cause;
    },
  );
  return loading;
}
