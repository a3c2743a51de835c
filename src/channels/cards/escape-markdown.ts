/**
 * Plain text as Markdown that shows the same. Signs that mean nothing where they stand are left alone, because the text
 * is also copied and read as it is: `node_exporter` needs no backslash.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*[\]<>]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|(?<=~)~/gu, String.raw`\$&`)
    .replaceAll(/^(\s*)([#+-])(?=\s|#)/gm, String.raw`$1\$2`);
}
