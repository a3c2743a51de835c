/** A command for a prompt of this name: words with `-` between them, at most 60 letters. */
export function toCommand(name: string): string {
  return name
    .toLowerCase()
    .normalize("NFKC")
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .slice(0, 60)
    .replaceAll(/^[\p{M}-]+|-+$/gu, "");
}
