/**
 * Finds CSS that names a side of the screen instead of a side of the text, and would stay where it is when lines run to
 * the left: `margin-left`, `left: 0`, `text-align: right`, and shorthands whose left and right differ. What has to be
 * physical carries the comment `physical: <reason>` in the line above it.
 */
export interface PhysicalRule {
  line: number;
  text: string;
}

const properties = /^(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-[a-z]+)?|left|right)$/;
const corners = /^border-(?:top|bottom)-(?:left|right)-radius$/;
const sided = /^(?:margin|padding|inset|border-width|border-style|border-color|scroll-margin|scroll-padding)$/;
const aligned = /^(?:text-align|float|clear|justify-self|justify-content|justify-items|background-position)$/;

/** The parts of a value: spaces inside brackets do not part it. */
function parts(value: string): string[] {
  const found = [""];
  let depth = 0;
  for (const sign of value.trim()) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (sign === " " && depth === 0) found.push("");
    else found[found.length - 1] += sign;
  }
  return found.filter(Boolean);
}

function isPhysical(property: string, value: string): boolean {
  if (properties.test(property) || corners.test(property)) return true;
  if (aligned.test(property)) return /\b(?:left|right)\b/.test(value);
  if (!sided.test(property)) return false;
  const [, right, , left] = parts(value);
  return left !== undefined && left !== right;
}

/** The styles of one file: all of a style sheet, the `<style>` blocks of a component. */
export function findPhysicalCss(name: string, source: string): PhysicalRule[] {
  const found: PhysicalRule[] = [];
  let isStyle = name.endsWith(".css");
  let isExcused = false;
  const lines = source.split("\n");
  for (const [at, text] of lines.entries()) {
    if (!name.endsWith(".css") && /^\s*<\/?style\b/.test(text)) isStyle = !text.includes("</");
    if (!isStyle) continue;
    const [, property, value] = /^\s*(?:[^{}]*\{)?\s*([a-z-]+)\s*:\s*([^;{}]*)(;|\}|$)/.exec(text) ?? [];
    // A value that begins in the next line, as lists of positions do.
    const next = lines.slice(at + 1, at + 3).join(" ");
    if (property && isPhysical(property, value || next) && !isExcused) found.push({ line: at + 1, text: text.trim() });
    isExcused = /\/\* physical: .+\*\//.test(text);
  }
  return found;
}
