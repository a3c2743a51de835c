import { describe, expect, it } from "vitest";
import type { ChatSummary } from "../../../../src/ui/features/chat/chats-api.ts";
import { groupChats, mergeFirstPage } from "../../../../src/ui/features/chat/group-chats.ts";

const now = new Date(2026, 10, 21, 15, 0).getTime();
const at = (...date: [number, number, number, number?]): number =>
  new Date(date[0], date[1], date[2], date[3] ?? 12).getTime() / 1000;
const chat = (id: string, updated_at: number, more: Partial<ChatSummary> = {}): ChatSummary => ({
  id,
  title: id,
  created_at: 0,
  updated_at,
  ...more,
});

describe("sections of the chat list", () => {
  it("follow the calendar days of the person, not spans of 24 hours", () => {
    const chats = [
      chat("morning", at(2026, 10, 21, 0)),
      chat("last-night", at(2026, 10, 20, 23)),
      chat("yesterday-early", at(2026, 10, 20, 0)),
      chat("two-days", at(2026, 10, 19, 23)),
      chat("seven-days", at(2026, 10, 14, 0)),
      chat("eight-days", at(2026, 10, 13, 23)),
      chat("last-year", at(2025, 10, 13)),
      chat("pinned-old", at(2024, 1, 1), { pinned: true }),
    ];
    expect(groupChats(chats, now, "en").map((group) => [group.label, group.chats.map((one) => one.id)])).toEqual([
      ["Pinned", ["pinned-old"]],
      ["Today", ["morning"]],
      ["Yesterday", ["last-night", "yesterday-early"]],
      ["Previous 7 days", ["two-days", "seven-days"]],
      ["November", ["eight-days"]],
      ["November 2025", ["last-year"]],
    ]);
  });

  it("stand newest first, whatever order the chats came in", () => {
    const groups = groupChats([chat("a", at(2026, 10, 21, 9)), chat("b", at(2026, 10, 21, 11))], now, "en");
    expect(groups[0]?.chats.map((one) => one.id)).toEqual(["b", "a"]);
  });
});

describe("a list brought up to date", () => {
  const known = [chat("a", 50), chat("b", 40), chat("c", 30), chat("d", 20)];

  it("takes changes, drops what was deleted elsewhere, and keeps older pages", () => {
    const merged = mergeFirstPage(known, [chat("new", 60), chat("b", 55, { title: "renamed" }), chat("c", 30)], true);
    expect(merged.map((one) => [one.id, one.title])).toEqual([
      ["new", "new"],
      ["b", "renamed"],
      ["c", "c"],
      ["d", "d"],
    ]);
  });

  it("is exactly the first page when that page holds everything", () => {
    expect(mergeFirstPage(known, [chat("b", 40)], false).map((one) => one.id)).toEqual(["b"]);
    expect(mergeFirstPage(known, [], false)).toEqual([]);
  });

  it("forgets a pin that was taken away elsewhere", () => {
    const merged = mergeFirstPage([chat("p", 1, { pinned: true })], [chat("a", 50)], true);
    expect(merged.map((one) => one.id)).toEqual(["a"]);
  });
});
