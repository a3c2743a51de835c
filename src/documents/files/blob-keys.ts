/** Where the bytes of a file lie in object storage; a trigger on `files` knows this key too. */
export function fileKey(id: string): string {
  return `files/${id}`;
}

/** Where one of its texts lies, UTF-8; a trigger on `file_texts` knows this key too. */
export function textKey(id: string, version: number): string {
  return `files/${id}/text/${version}`;
}
