/** A text as a LIKE pattern part in which `%` and `_` are plain letters. Use with `ESCAPE '\'`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
