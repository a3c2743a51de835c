/** Bytes converted at once, a multiple of three: no padding in between, and not too many arguments for a call. */
const slice = 24_576;

/** Standard base64 with padding, for bytes in JSON. */
export function toBase64(bytes: Uint8Array): string {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; at += slice)
    texts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + slice))));
  return texts.join("");
}

/** Throws for invalid base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  // `Uint8Array.from` would take ten times as long.
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
