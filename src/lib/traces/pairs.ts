/**
 * `name=value,name2=value2`, as OpenTelemetry's variables have lists; values may be escaped with `%`.
 * @returns undefined for anything else
 */
export function readPairs(text: string): Record<string, string> | undefined {
  const pairs: [string, string][] = [];
  for (const part of text.split(",").map((each) => each.trim())) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(0, at)).trim();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return undefined;
    try {
      pairs.push([name, decodeURIComponent(part.slice(at + 1).trim())]);
    } catch {
      return undefined;
    }
  }
  return Object.fromEntries(pairs);
}

/** Whether the pairs can be sent as headers. */
export function areHeaders(text: string): boolean {
  const pairs = readPairs(text);
  if (!pairs) return false;
  return Object.values(pairs).every((value) => /^[\x20-\x7e]*$/.test(value));
}
