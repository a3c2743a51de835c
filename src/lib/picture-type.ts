const signatures: readonly (readonly [type: string, begins: string, at?: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "WEBP", 8],
  ["image/avif", "ftypavif", 4],
  ["image/avif", "ftypavis", 4],
];

/** So many bytes from the beginning tell the type of a picture. */
export const pictureHeadLength = 16;

/** The type of a picture by its first bytes; undefined for everything else, SVG too: it can hold scripts. */
export function pictureTypeOf(head: Uint8Array): string | undefined {
  return signatures.find(([type, begins, at = 0]) => {
    if (type === "image/webp" && !startsWith(head, "RIFF", 0)) return false;
    return startsWith(head, begins, at);
  })?.[0];
}

function startsWith(bytes: Uint8Array, text: string, at: number): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}
