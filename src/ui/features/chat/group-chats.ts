import type { ChatSummary } from "./chats-api.ts";
import { texts } from "./texts.ts";

export interface ChatGroup {
  label: string;
  chats: ChatSummary[];
}

const day = 86_400_000;

/**
 * Sorts chats into the sections of the rail: pinned ones, then by the day of their last change in the person's own time
 * zone: today, yesterday, the seven days before, then by month. @param now in milliseconds
 */
export function groupChats(chats: readonly ChatSummary[], now: number, locale?: string): ChatGroup[] {
  const groups = new Map<string, ChatSummary[]>();
  const add = (label: string, chat: ChatSummary): void => {
    const group = groups.get(label);
    if (group) group.push(chat);
    else groups.set(label, [chat]);
  };
  const sorted = [...chats].sort((a, b) => b.updated_at - a.updated_at || (a.id < b.id ? 1 : -1));
  for (const chat of sorted) if (chat.pinned) add(texts.list.pinned, chat);
  for (const chat of sorted) if (!chat.pinned) add(sectionOf(chat.updated_at * 1000, now, locale), chat);
  return [...groups].map(([label, chats]) => ({ label, chats }));
}

function sectionOf(time: number, now: number, locale: string | undefined): string {
  const today = startOfDay(now);
  if (time >= today) return texts.list.today;
  // Not "24 hours earlier": the day before a change of the clock has 23 or 25.
  const yesterday = startOfDay(today - day / 2);
  if (time >= yesterday) return texts.list.yesterday;
  if (time >= startOfDay(today - 7 * day + day / 2)) return texts.list.week;
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, sameYear ? { month: "long" } : { month: "long", year: "numeric" }).format(
    time,
  );
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/**
 * Brings a list up to date with a freshly loaded first page: its chats take the place of what was known of them, and
 * known chats that should stand on that page but do not are gone. Older pages are kept. Pinned chats come in `first` too.
 */
export function mergeFirstPage(
  known: readonly ChatSummary[],
  first: readonly ChatSummary[],
  pageIsFull: boolean,
): ChatSummary[] {
  const fresh = new Map(first.map((chat) => [chat.id, chat]));
  const unpinned = first.filter((chat) => !chat.pinned);
  const oldest = pageIsFull ? Math.min(...unpinned.map((chat) => chat.updated_at)) : -Infinity;
  const older = known.filter((chat) => !fresh.has(chat.id) && !chat.pinned && chat.updated_at < oldest);
  return [...first, ...older];
}
