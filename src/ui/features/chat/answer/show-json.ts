/** Text that is JSON, laid out to be read; any other text as it is. */
export function showJson(text: string): string {
  if (!/^\s*[[{]/u.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
