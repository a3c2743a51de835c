import { session } from "../../../lib/session.svelte.ts";

/** Whether there are previews and pictures of diagrams for this person. */
export const arePreviewsOn = (): boolean =>
  session.config.features["enable_previews"] === true && session.may("features", "previews");

/** Address of the chat with a preview beside it. `at` counts from 0 within its message. */
export function previewAddress(path: string, messageId: string, at: number): string {
  return `${path}?preview=${encodeURIComponent(`${messageId}~${at}`)}`;
}

/** The preview that the address shows, if it shows one. */
export function previewInView(search: URLSearchParams): { messageId: string; at: number } | undefined {
  const [messageId, at] = search.get("preview")?.split("~") ?? [];
  return messageId && at && /^\d{1,4}$/u.test(at) ? { messageId, at: Number(at) } : undefined;
}
