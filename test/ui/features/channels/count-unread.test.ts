import { describe, expect, it } from "vitest";
import { afterMessage, callsFor, isBy, shownCount } from "../../../../src/ui/features/channels/count-unread.ts";
import { groupChannels } from "../../../../src/ui/features/channels/group-channels.ts";
import { aChannel, aMessage } from "./a-message.ts";

describe("what is unread", () => {
  it("grows with messages of others outside of threads, and never by the same one twice", () => {
    const one = afterMessage(aChannel({ head: 4 }), aMessage({ seq: 5, created_at: 99 }), "bo");
    expect(one).toMatchObject({ head: 5, unread_count: 1, mention_count: 0, last_message_at: 99 });
    expect(afterMessage(one, aMessage({ seq: 5 }), "bo")).toBe(one);
    expect(afterMessage(one, aMessage({ seq: 6, parent_id: "m5" }), "bo")).toMatchObject({ head: 6, unread_count: 1 });
    expect(afterMessage(one, aMessage({ seq: 6 }), "ada")).toMatchObject({ head: 6, unread_count: 1 });
  });

  it("counts an answer of a model for whoever asked it, too", () => {
    const answer = aMessage({ seq: 1, user: { ...aMessage().user, id: "gpt", role: "assistant" } });
    expect(isBy(answer, "ada")).toBe(false);
    expect(afterMessage(aChannel(), answer, "ada").unread_count).toBe(1);
  });

  it("calls for the person when they are named, threads included, and in direct conversations", () => {
    const named = aMessage({ seq: 1, parent_id: "m0", content: "<@U:bo|Bo> look" });
    const channel = afterMessage(aChannel(), named, "bo");
    expect(channel).toMatchObject({ unread_count: 0, mention_count: 1 });
    expect(callsFor(channel)).toBe(true);
    expect(callsFor(afterMessage(aChannel(), named, "bobby"))).toBe(false);
    expect(callsFor(aChannel({ unread_count: 3 }))).toBe(false);
    expect(callsFor(aChannel({ type: "dm", unread_count: 1 }))).toBe(true);
  });

  it("is shown up to a limit", () => {
    const full = aChannel({ unread_count: 100, head: 1 });
    expect(afterMessage(full, aMessage({ seq: 2 }), "bo").unread_count).toBe(100);
    expect(shownCount(99)).toEqual({ text: "99", isMore: false });
    expect(shownCount(100)).toEqual({ text: "99+", isMore: true });
  });
});

describe("the groups of the rail", () => {
  it("are channels by name and conversations by their latest message; empty ones are left out", () => {
    const channels = [
      aChannel({ id: "1", name: "quay 10" }),
      aChannel({ id: "2", name: "Quay 9", type: "group" }),
      aChannel({ id: "3", type: "dm", last_message_at: 5 }),
      aChannel({ id: "4", type: "dm", created_at: 9 }),
    ];
    expect(groupChannels(channels).map((group) => group.channels.map(({ id }) => id))).toEqual([
      ["2", "1"],
      ["4", "3"],
    ]);
    expect(groupChannels(channels.slice(2))).toHaveLength(1);
    expect(groupChannels([])).toEqual([]);
  });
});
