/** `[1]`, `[1, 2]`, `[1-3]`, and the brackets that some models prefer. */
export const citationPattern = /\[(\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*)\]|【(\d{1,4})[^】\n]{0,40}】/gu;
const maxRange = 20;

/** The numbers of one pair of brackets: `1, 3-5` are 1, 3, 4 and 5. Undefined for what is no list of numbers. */
export function readNumbers(text: string): number[] | undefined {
  const numbers: number[] = [];
  for (const part of text.split(/[,;]/u)) {
    const [from, to = from] = part.split(/[–-]/u).map(Number);
    if (from === undefined || to === undefined || !(from <= to) || to - from >= maxRange) return undefined;
    for (let number = from; number <= to; number++) numbers.push(number);
  }
  return numbers;
}

/** Code, in which brackets are no citations. */
const code = /^ {0,3}(`{3,}|~{3,})[^]*?(?:\n {0,3}\1[`~]*[ \t]*(?=\n|$)|$(?![^]))|(`+)(?!`)[^]*?(?<!`)\2(?!`)/gmu;

/** The numbers that a text names as its sources. */
export function citedNumbers(text: string): Set<number> {
  const numbers = new Set<number>();
  for (const match of text.replace(code, " ").matchAll(citationPattern))
    for (const number of readNumbers(match[1] ?? match[2] ?? "") ?? []) numbers.add(number);
  return numbers;
}
