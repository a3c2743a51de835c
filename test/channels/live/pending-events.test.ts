import { expect, it } from "vitest";
import { PendingEvents } from "../../../src/channels/live/pending-events.ts";
import type { ChannelEvent } from "../../../src/channels/schema.ts";

const delta = (id: string, at: number, text: string): ChannelEvent => ({
  type: "channel:message:delta",
  data: { id, at, text },
});
const deleted = (seq: number): ChannelEvent => ({ type: "channel:message:delete", data: { id: `m${seq}`, seq } });
const typing: ChannelEvent = { type: "channel:typing", data: { user: { id: "u", name: "Ada" }, parent_id: null } };

function queueOf(...events: ChannelEvent[]): PendingEvents {
  const queue = new PendingEvents();
  for (const event of events) queue.add(event);
  return queue;
}

it("joins text that goes on where the last one ended, of each answer, and nothing else", () => {
  const first = delta("a", 0, "One ");
  const queue = queueOf(first, delta("b", 5, "x"), delta("a", 4, "two "), delta("a", 4, "2 "), delta("b", 6, "y"));
  expect(queue.isUrgent).toBe(false);
  expect(queue.take()).toEqual({
    events: [delta("a", 0, "One two "), delta("b", 5, "xy"), delta("a", 4, "2 ")],
    isWhole: true,
  });
  // What somebody else may still hold is not written to.
  expect(first).toEqual(delta("a", 0, "One "));
  expect(queue.isEmpty).toBe(true);
});

it("keeps text before and after whatever else happens apart", () => {
  const queue = queueOf(delta("a", 0, "One "), deleted(1), delta("a", 4, "two"));
  expect(queue.isUrgent).toBe(true);
  expect(queue.take().events).toEqual([delta("a", 0, "One "), deleted(1), delta("a", 4, "two")]);
  queue.add(delta("a", 7, "!"));
  expect(queue.isUrgent).toBe(false);
});

it("leaves out who is writing where much waits", () => {
  expect(queueOf(typing).take().events).toEqual([typing]);
  const busy = queueOf(...Array.from({ length: 20 }, (_, at) => deleted(at)), typing);
  expect(busy.take().events).toHaveLength(20);
});

it("keeps nothing but that there was something of more than it can hold", () => {
  const many = queueOf(...Array.from({ length: 1001 }, (_, at) => deleted(at)));
  expect(many.isUrgent).toBe(true);
  expect(many.take()).toEqual({ events: [], isWhole: false });
  expect(many.isEmpty).toBe(true);
  const long = queueOf(delta("a", 0, "x".repeat(3_000_000)), delta("a", 3_000_000, "y".repeat(1_500_000)));
  long.add(deleted(1));
  expect(long.take()).toEqual({ events: [deleted(1)], isWhole: false });
});
