import { describe, expect, it } from "vitest";
import type { ChannelMessage } from "../../../../../src/channels/schema.ts";
import { makeRows, type RowOptions } from "../../../../../src/ui/features/channels/messages/make-rows.ts";
import { aMessage } from "../a-message.ts";

const minute = 60_000;
const noon = new Date(2026, 10, 22, 12).getTime();
const at = (seq: number, minutes: number, given: Partial<ChannelMessage> = {}): ChannelMessage =>
  aMessage({ seq, created_at: noon + minutes * minute, ...given });
const bo = { id: "bo", name: "Bo", role: "user", profile_image_url: "/b.png", is_deleted: false } as const;

/** Rows in short: `day`, `new`, `3` for a message with its author above it, `+3` for one that goes on. */
function outline(messages: readonly ChannelMessage[], options?: RowOptions): string[] {
  return makeRows(messages, options).map((row) =>
    row.kind === "message" ? `${row.isHead ? "" : "+"}${row.message.seq}` : row.kind,
  );
}

describe("rows of messages", () => {
  it("stand under one name while one author goes on within five minutes", () => {
    const rows = outline([at(1, 0), at(2, 4), at(3, 4.5, { user: bo }), at(4, 5), at(5, 10.1)]);
    expect(rows).toEqual(["day", "1", "+2", "3", "4", "5"]);
  });

  it("begin anew after the picture or name of a webhook has changed, at a quote and after a deleted message", () => {
    const hook = { id: "w", name: "Radar", role: "webhook", profile_image_url: "/1", is_deleted: false } as const;
    const rows = outline([
      at(1, 0, { user: hook }),
      at(2, 0, { user: hook }),
      at(3, 0, { user: { ...hook, name: "Sonar" } }),
      at(4, 0, { user: { ...hook, name: "Sonar", profile_image_url: "/2" } }),
      at(5, 1),
      at(6, 1, { reply_to_id: "m1" }),
      at(7, 1, { deleted_at: noon, reply_count: 2 }),
      at(8, 1),
    ]);
    expect(rows).toEqual(["day", "1", "+2", "3", "4", "5", "6", "7", "8"]);
  });

  it("have a line for each day of the person's own calendar, and none in threads", () => {
    const days = [at(1, -13 * 60), at(2, 11 * 60), at(3, 11 * 60 + 59), at(4, 12 * 60)];
    expect(outline(days)).toEqual(["day", "1", "day", "2", "3", "day", "4"]);
    expect(outline(days, { withoutDays: true })).not.toContain("day");
  });

  it("have one line above the first new message that is not the person's own", () => {
    const isOwn = (message: ChannelMessage): boolean => message.user_id === "ada";
    const messages = [at(1, 0), at(2, 0, { user: bo, user_id: "bo" }), at(3, 0), at(4, 0, { user: bo, user_id: "bo" })];
    expect(outline(messages, { newAfter: 0, isOwn })).toEqual(["day", "1", "new", "2", "3", "4"]);
    expect(outline(messages, { newAfter: 2, isOwn })).toEqual(["day", "1", "2", "3", "new", "4"]);
    expect(outline(messages, { newAfter: 4, isOwn })).not.toContain("new");
    expect(outline(messages, { isOwn })).not.toContain("new");
  });

  it("have keys of their own that stay when earlier messages come", () => {
    const all = Array.from({ length: 40 }, (_, index) => at(index + 1, index * 90));
    const keys = makeRows(all).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const later = makeRows(all.slice(20)).filter(({ kind }) => kind === "message");
    expect(keys).toEqual(expect.arrayContaining(later.map(({ key }) => key)));
  });
});
