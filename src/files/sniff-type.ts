/** So many bytes from the beginning tell the type of a file as well as it can be told. */
export const sniffLength = 16_384;

/** What is said of a file. */
export interface TypeHint {
  filename: string;
  contentType: string;
}

/**
 * The type of a file by its content; its name decides only between kinds of text, and between kinds of the same container.
 * @param head the first `sniffLength` bytes, or all of them
 */
export function sniffType(head: Uint8Array, hint: TypeHint): string {
  const extension = /\.([^./\\]+)$/.exec(hint.filename)?.[1]?.toLowerCase();
  if (head.includes(0)) return "application/octet-stream";
  return extension === "md" || extension === "markdown" ? "text/markdown" : "text/plain";
}
