/** The decoder of all whole texts: the runtime makes two objects for each that is made. */
const decoder = new TextDecoder();

/** UTF-8 as text, without a byte order mark; invalid bytes become U+FFFD. */
export function utf8Text(bytes: ArrayBuffer | ArrayBufferView): string {
  return decoder.decode(bytes);
}

/** The same of a beginning: a character that is not there in full is left out. */
export function utf8Beginning(bytes: Uint8Array): string {
  const text = decoder.decode(bytes, { stream: true });
  decoder.decode();
  return text;
}
