/** The object storage key of a file's bytes; a trigger on `files` uses the same key. */
export function fileKey(id: string): string {
  return `files/${id}`;
}

/**
 * The object storage key of one of its texts, UTF-8; a trigger on `file_texts` uses the same key. There is no such object for a
 * text that is the same as the file: see `currentTextKey`.
 */
export function textKey(id: string, version: number): string {
  return `files/${id}/text/${version}`;
}

/** Where the current text of a file is: in the file itself where the two are the same, as for most plain text. */
export function currentTextKey(file: {
  id: string;
  version: number;
  sha256: string | null;
  textSha256: string | null;
}) {
  return file.textSha256 !== null && file.textSha256 === file.sha256
    ? fileKey(file.id)
    : textKey(file.id, file.version);
}
