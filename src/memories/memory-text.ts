/** What is searched and embedded: what it belongs to says as much as the text. */
export function memoryText({ path, content }: { path: string | null; content: string }): string {
  return path === null ? content : `${path}\n${content}`;
}
