/** Address of the chat with a source of one of its answers beside it. `at` counts from 1. */
export function sourceAddress(path: string, messageId: string, at: number): string {
  return `${path}?source=${encodeURIComponent(`${messageId}~${at}`)}`;
}

/** The source that the address shows, if it shows one. */
export function sourceInView(search: URLSearchParams): { messageId: string; at: number } | undefined {
  const [messageId, at] = search.get("source")?.split("~") ?? [];
  return messageId && at && /^\d{1,4}$/u.test(at) ? { messageId, at: Number(at) } : undefined;
}

/** Address of the chat with a file beside it. */
export function fileAddress(path: string, fileId: string): string {
  return `${path}?file=${encodeURIComponent(fileId)}`;
}

/** The id of the file that the address shows, if it shows one. */
export function fileInView(search: URLSearchParams): string | undefined {
  return search.get("file") || undefined;
}
