/**
 * A path for logs and error messages, without secrets: a segment longer than any name or id may be the secret of a
 * webhook address, in any spelling, and is left out.
 */
export function shownPath(path: string): string {
  return path.replaceAll(/[^/]{40,}/g, "…");
}
