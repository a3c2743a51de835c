import type { StoredText } from "./read-file.ts";
import type { TextWindow } from "./schema.ts";

/** So much of a text is given at most at once, UTF-16 units. */
export const maxLength = 1_000_000;

/** A stretch of a text, cut so that no character is halved. Holds no more than that of it. */
export async function readWindow({ body, length }: StoredText, from: number, to: number): Promise<TextWindow> {
  const start = Math.min(from, length);
  const end = Math.max(start, Math.min(to, length, start + maxLength));
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  const reader = body.getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
    if (at + text.length > start && at < end) pieces.push(text.slice(Math.max(0, start - at), end - at));
    at += text.length;
    if (done || at >= end) break;
  }
  await reader.cancel().catch(() => undefined);
  const content = pieces.join("");
  const first = isLow(content.charCodeAt(0)) ? 1 : 0;
  const last = isHigh(content.charCodeAt(content.length - 1)) ? content.length - 1 : content.length;
  return { content: content.slice(first, last), start: start + first, end: start + last, length };
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
