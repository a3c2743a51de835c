/** Deepest JSON that is taken from outside: the database reads a thousand levels, and keeps what it is given within others. */
export const maxJsonDepth = 500;

/**
 * Whether arrays and objects stand within each other more than `maxJsonDepth` times. What is deeper ends the stack of whoever
 * writes it again, or takes seconds. Looks at brackets only: what is no JSON has some depth too.
 */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) at = endOfText(json, at);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxJsonDepth) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** Where the text ends that begins here. Texts may be megabytes: they are not gone through letter by letter. */
export function endOfText(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}
