/** A formula found at the start of a text: its source without delimiters and the whole matched text. */
export interface FoundMath {
  tex: string;
  raw: string;
  display: boolean;
}

const looksLikeMath = /[\\^_=+<>/*{}|~-]|\d|^.{1,3}$/u;

/**
 * Finds one inline formula at the very start of `src`: `$…$`, `$$…$$`, `\(…\)` or `\[…\]`.
 *
 * Dollar signs are mostly money or shell variables in chats, so a single `$` opens a formula only after a non-word
 * character and before a non-space one, and closes after a non-space and before a non-word character (Pandoc's rule,
 * widened to letters for `$PATH:$HOME`); a number followed by words is a price. `previous` is the character before `src`.
 */
export function findInlineMath(src: string, previous = ""): FoundMath | undefined {
  if (src.startsWith("\\(") || src.startsWith("\\[")) return findBracketMath(src);
  if (!src.startsWith("$") || /[\w$\\]/u.test(previous)) return undefined;
  const double = /^\$\$(?!\$)((?:\\.|[^$\\])+?)\$\$(?!\$)/u.exec(src);
  if (double?.[1]?.trim()) return { tex: double[1].trim(), raw: double[0], display: true };
  const single = /^\$(?![\s$])((?:\\.|[^$\\\n])+?)(?<!\s)\$(?![\w$])/u.exec(src);
  if (!single?.[1] || isPrice(single[1])) return undefined;
  return { tex: single[1], raw: single[0], display: false };
}

/** Finds a display formula that starts a line of its own; `closed` is false while its end has not arrived. */
export function findBlockMath(src: string): (FoundMath & { closed: boolean }) | undefined {
  const closed = /^ {0,3}(?:\$\$(?!\$)([^$]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n+|$)/u.exec(src);
  if (closed) {
    const tex = (closed[1] ?? closed[2] ?? "").trim();
    return tex ? { tex, raw: closed[0], display: true, closed: true } : undefined;
  }
  // Only a delimiter alone on its line may wait for its end: "$$ is money" must not swallow the rest of the answer.
  const open = /^ {0,3}(\$\$|\\\[)[ \t]*\n([\s\S]*)$/u.exec(src);
  if (!open || open[2]?.includes(open[1] === "$$" ? "$$" : "\\]")) return undefined;
  return { tex: (open[2] ?? "").trim(), raw: open[0], display: true, closed: false };
}

/** Where the next inline formula may begin, for marked's text tokenizer; -1 if nowhere. */
export function nextMathStart(src: string): number {
  return src.search(/(?<![\w$\\])\$|\\[([]/u);
}

function findBracketMath(src: string): FoundMath | undefined {
  const found = /^\\\(((?:(?!\\\))[^\n])+)\\\)|^\\\[((?:(?!\\\])[\s\S])+?)\\\]/u.exec(src);
  const tex = (found?.[1] ?? found?.[2] ?? "").trim();
  // "\[sic\]" and "\(see below\)" are escaped brackets around words, not formulas.
  if (!found || !tex || !looksLikeMath.test(tex)) return undefined;
  return { tex, raw: found[0], display: found[2] !== undefined };
}

function isPrice(tex: string): boolean {
  return /^\d[\d.,]*\s*[\p{L}(–-]/u.test(tex) && /\s/u.test(tex) && !/[\\^_=+*{}<>]/u.test(tex);
}
