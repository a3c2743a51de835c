/**
 * A path as it may stand in a log or in the text of an error: a segment that is longer than any name or id here may be the
 * secret of an address (a channel's webhook), however its letters are written, and is left out.
 */
export function shownPath(path: string): string {
  return path.replaceAll(/[^/]{40,}/g, "…");
}
