/**
 * Names of the connections whose models are missing from a list, as its headers tell. Header values are plain ASCII, so
 * names come percent-encoded where they are not.
 */
export function readUnreachable(headers: Headers): string[] {
  const text = headers.get("x-parley-unreachable");
  if (!text) return [];
  return text.split(",").map((part) => {
    const name = part.trim();
    try {
      return decodeURIComponent(name);
    } catch {
      return name;
    }
  });
}
