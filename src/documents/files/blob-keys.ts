/** The object storage key of a file's bytes; a trigger on `files` uses the same key. */
export function fileKey(id: string): string {
  return `files/${id}`;
}

/** The object storage key of one of its texts, UTF-8; a trigger on `file_texts` uses the same key. */
export function textKey(id: string, version: number): string {
  return `files/${id}/text/${version}`;
}
