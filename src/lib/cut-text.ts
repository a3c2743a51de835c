/** The beginning of a text with no more than so many UTF-16 units, never ending within a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const isPair = length > 0 && /[\uD800-\uDBFF]/.test(text[length - 1]!);
  return text.slice(0, isPair ? length - 1 : length);
}
