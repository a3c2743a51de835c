/** A text as part of a LIKE pattern, with `%` and `_` escaped. Use with `ESCAPE '\'`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
