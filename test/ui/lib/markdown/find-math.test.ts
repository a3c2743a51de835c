import { describe, expect, it } from "vitest";
import { findBlockMath, findInlineMath, nextMathStart } from "../../../../src/ui/lib/markdown/find-math.ts";

/** All formulas of a text, found the way the Markdown parser walks over it. */
function formulas(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    const next = nextMathStart(text.slice(at));
    if (next < 0) break;
    at += next;
    const math = findInlineMath(text.slice(at), text[at - 1]);
    if (math) found.push(math.tex);
    at += math ? math.raw.length : 1;
  }
  return found;
}

describe("inline formulas", () => {
  it.each([
    ["The area is $\\pi r^2$.", ["\\pi r^2"]],
    ["Let $x$ and $y$ be real.", ["x", "y"]],
    ["$a$, $b$", ["a", "b"]],
    ["Euler: $$e^{i\\pi}+1=0$$ holds", ["e^{i\\pi}+1=0"]],
    ["\\(a+b\\) and \\[c^2\\]", ["a+b", "c^2"]],
    ["$2n+1$ is odd", ["2n+1"]],
    ["$5 \\times 3$", ["5 \\times 3"]],
    ["cost $\\$5$ each", ["\\$5"]],
    ["($n$)", ["n"]],
    ["$100$ metres", ["100"]],
  ])("finds them in %j", (text, expected) => {
    expect(formulas(text)).toEqual(expected);
  });

  it.each([
    "It costs $5 and later $10.",
    "$5-$10 a month",
    "From $1,200 to $2,400",
    "$100k/$200k",
    "US$5 and A$6",
    "echo $HOME and $PATH",
    "$PATH:$HOME",
    "between $20 and 30$.",
    "$5, or 10$ tomorrow",
    "a lone $ sign",
    "\\$5 and \\$6",
    "$$",
    "$ x $",
    "\\(see below\\)",
    "\\[citation needed\\]",
    "$1\nand 2$",
  ])("leaves %j alone", (text) => {
    expect(formulas(text)).toEqual([]);
  });
});

describe("display formulas on lines of their own", () => {
  it("finds both delimiters with blank lines inside", () => {
    expect(findBlockMath("$$\na\n\nb\n$$\nafter")).toMatchObject({
      tex: "a\n\nb",
      closed: true,
      raw: "$$\na\n\nb\n$$\n",
    });
    expect(findBlockMath("\\[\nx = 1\n\\]\n")).toMatchObject({ tex: "x = 1", closed: true });
  });

  it("waits for the end of one that is still arriving", () => {
    expect(findBlockMath("$$\n\\frac{1}{2")).toMatchObject({ tex: "\\frac{1}{2", closed: false });
  });

  it("does not swallow text after a pair of dollars that is not alone on its line", () => {
    expect(findBlockMath("$$ is money\n\nmore")).toBeUndefined();
    expect(findBlockMath("plain")).toBeUndefined();
  });
});
