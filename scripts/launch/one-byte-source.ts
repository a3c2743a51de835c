/**
 * The same source in characters of one byte: one other character, and the engine keeps all of it with two, 3.7 MB more for the
 * service. The bundler escapes those in strings; what it leaves is in regular expressions, templates and comments, where an escape
 * means the same. Columns of its source map move by five for each in their line.
 * @throws Error where an escape would be read as it stands
 */
export function oneByteSource(source: string): string {
  const raw = /String\.raw`[^`]*[^\0-\xff][^`]*`/.exec(source)?.[0];
  if (raw) throw new Error(`In String.raw, write characters beyond Latin-1 as escapes: ${raw.slice(0, 200)}`);
  return source.replaceAll(/[^\0-\xff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
