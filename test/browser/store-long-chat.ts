import type { Page } from "playwright-core";
import { call } from "./chat-world.ts";

/** A text of several hundred letters that differs from all others. */
export const prose = (index: number) =>
  Array.from(
    { length: 12 },
    (_, at) => `Line ${index}.${at} tells of ${(index * 7919 + at * 104729) % 9973} ships`,
  ).join(", ");

/** Stores a chat of so many messages; `words` are texts of single ones. */
export async function storeLongChat(
  page: Page,
  url: string,
  title: string,
  count: number,
  words: Record<number, string> = {},
): Promise<string> {
  const messages = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `m${index}`,
      {
        id: `m${index}`,
        parentId: index === 0 ? null : `m${index - 1}`,
        childrenIds: index === count - 1 ? [] : [`m${index + 1}`],
        role: index % 2 === 1 ? "assistant" : "user",
        content: words[index] ?? (index % 2 === 1 ? `**${index}** ${prose(index)}` : `Question ${index}`),
        timestamp: 1_760_000_000 + index,
        model: "plain",
        done: true,
      },
    ]),
  );
  const stored = await call(page.context(), url, "POST", "/api/v1/chats/new", {
    chat: { title, models: ["plain"], history: { currentId: `m${count - 1}`, messages } },
  });
  return (stored as { id: string }).id;
}
