/**
 * Parses JSON from a plugin. A key `__proto__`, in any spelling, is dropped: merged into an object it would change its
 * prototype.
 * @throws SyntaxError
 */
export function parseUntrusted(text: string): unknown {
  if (!text.includes("__proto__") && !text.includes("\\u00")) return JSON.parse(text) as unknown;
  return JSON.parse(text, (key, value: unknown) => (key === "__proto__" ? undefined : value)) as unknown;
}
