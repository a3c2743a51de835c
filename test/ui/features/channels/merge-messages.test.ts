import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HistoryPage } from "../../../../src/channels/messages/schema.ts";
import type { ChannelEvent, ChannelMessage } from "../../../../src/channels/schema.ts";
import { createTimeline } from "../../../../src/ui/features/channels/merge-messages.ts";

const reader = "ada";

function message(seq: number, values: Partial<ChannelMessage> = {}): ChannelMessage {
  return {
    id: `m${seq}`,
    channel_id: "c",
    seq,
    user_id: "grace",
    parent_id: null,
    reply_to_id: null,
    reply_to_message: null,
    content: `m${seq}`,
    files: [],
    data: false,
    meta: {},
    state: "done",
    error: null,
    user: { id: "grace", name: "Grace", role: "user", profile_image_url: "", is_deleted: false },
    reactions: [],
    reply_count: 0,
    latest_reply_at: null,
    is_pinned: false,
    pinned_at: null,
    pinned_by: null,
    edited_at: null,
    deleted_at: null,
    created_at: 1,
    updated_at: 1,
    ...values,
  };
}

const posted = (one: ChannelMessage): ChannelEvent => ({ type: "channel:message", data: { message: one } });
const updated = (one: ChannelMessage): ChannelEvent => ({ type: "channel:message:update", data: { message: one } });
const page = (messages: ChannelMessage[], from: number, to: number, head = to): HistoryPage => ({
  messages,
  from,
  to,
  head,
});
const seqs = (timeline: ReturnType<typeof createTimeline>, around?: number) =>
  timeline.view(around).messages.map((one) => one.seq);
const channel = () => createTimeline({ parentId: null, reader });

/** What the service does, one act after the other; a page may be read after each. */
function createService() {
  const rows = new Map<number, ChannelMessage>();
  const events: ChannelEvent[] = [];
  let clock = 1;
  const put = (seq: number, change: Partial<ChannelMessage>) => {
    const next = { ...rows.get(seq)!, ...change, updated_at: ++clock };
    rows.set(seq, next);
    return next;
  };
  const isLeft = (one: ChannelMessage) => one.deleted_at === null || one.reply_count > 0;
  const neutral = (one: ChannelMessage) => ({
    ...one,
    reactions: one.reactions.map((reaction) => ({ ...reaction, mine: false })),
  });
  return {
    rows,
    events,
    post(parent?: ChannelMessage) {
      const one = message(rows.size + 1, { parent_id: parent?.id ?? null, updated_at: ++clock });
      rows.set(one.seq, one);
      events.push(posted(one));
      if (parent) events.push(updated(neutral(put(parent.seq, { reply_count: parent.reply_count + 1 }))));
    },
    edit(seq: number) {
      events.push(updated(neutral(put(seq, { content: `m${seq} at ${clock}` }))));
    },
    /** Somebody of many, of whom the first few are named; the reader is never among those. */
    react(seq: number, mine: boolean) {
      const [before] = rows.get(seq)!.reactions;
      const added = mine ? !(before?.mine ?? false) : true;
      const users = Array.from({ length: 3 }, (_, at) => ({ id: `u${at}`, name: `U${at}` }));
      const count = Math.max(4, before?.count ?? 4) + (added ? 1 : -1);
      const reaction = { name: "👍", count, users, mine: mine ? added : (before?.mine ?? false) };
      events.push({
        type: "channel:message:update",
        data: {
          message: neutral(put(seq, { reactions: [reaction] })),
          reaction: { name: "👍", user_id: mine ? reader : "u9", added },
        },
      });
    },
    delete(seq: number) {
      const one = put(seq, { content: "", deleted_at: 1, user_id: null, reactions: [] });
      events.push({
        type: "channel:message:delete",
        data: { id: one.id, seq, ...(isLeft(one) ? { message: neutral(one) } : {}) },
      });
      const parent = [...rows.values()].find((row) => row.id === one.parent_id);
      if (!parent) return;
      const left = put(parent.seq, { reply_count: parent.reply_count - 1 });
      events.push(
        isLeft(left)
          ? updated(neutral(left))
          : { type: "channel:message:delete", data: { id: left.id, seq: left.seq } },
      );
    },
    /** As the service answers at this moment. */
    read(parentId: string | null, from = 0, to = rows.size): HistoryPage {
      const top = Math.min(to, rows.size);
      const messages = [...rows.values()].filter(
        (row) =>
          row.seq >= from &&
          row.seq <= top &&
          isLeft(row) &&
          (parentId === null ? row.parent_id === null : row.parent_id === parentId || row.id === parentId),
      );
      return structuredClone(page(messages, from, top, rows.size));
    },
  };
}

type Act = { act: "post" | "answer" | "edit" | "react" | "reactMine" | "delete" | "read"; on: number; to: number };
const act: fc.Arbitrary<Act> = fc.record({
  act: fc.constantFrom("post", "post", "answer", "edit", "react", "reactMine", "delete", "read"),
  on: fc.nat({ max: 30 }),
  to: fc.nat({ max: 30 }),
});

/** What a tab can come to know: events and pages of any moment. */
function play(acts: readonly Act[], parentId: string | null) {
  const service = createService();
  const pages: HistoryPage[] = [];
  service.post();
  for (const { act, on, to } of acts) {
    const living = [...service.rows.values()].filter((row) => row.deleted_at === null);
    const target = living[on % Math.max(1, living.length)];
    const heads = living.filter((row) => row.parent_id === null);
    const head = heads[on % Math.max(1, heads.length)];
    if (act === "post") service.post();
    else if (act === "read") pages.push(service.read(parentId, on % (service.rows.size + 1), to));
    else if (act === "answer" && head) service.post(service.rows.get(head.seq));
    else if (act === "edit" && target) service.edit(target.seq);
    else if (act === "delete" && target) service.delete(target.seq);
    else if (target) service.react(target.seq, act === "reactMine");
  }
  return { service, pages };
}

describe("a timeline", () => {
  test.each([null, "m1"])("makes one order of pages and events, however they come (thread %s)", (parentId) => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (acts, random) => {
        const { service, pages } = play(acts, parentId);
        const timeline = createTimeline({ parentId, reader });
        type News = { page: HistoryPage } | { event: ChannelEvent };
        const news: News[] = [
          ...pages.map((one) => ({ page: one })),
          ...service.events.map((event) => ({ event })),
          // Some come twice.
          ...service.events.filter(() => random.next().value % 4 === 0).map((event) => ({ event })),
          { page: service.read(parentId) },
        ];
        const order = news.map((one) => ({ one, by: random.next().value as number })).sort((a, b) => a.by - b.by);
        for (const { one } of order)
          if ("page" in one) timeline.addPage(one.page);
          else timeline.receive(one.event);
        const view = timeline.view();
        expect(view.messages).toEqual(service.read(parentId).messages);
        expect(view).toMatchObject({
          from: 0,
          to: service.rows.size,
          head: service.rows.size,
          hasBefore: false,
          hasAfter: false,
        });
      }),
      { numRuns: 500 },
    );
  });

  test("never shows what is not in one piece, and says what is missing", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), fc.infiniteStream(fc.boolean()), (acts, heard) => {
        const { service, pages } = play(acts, null);
        const timeline = channel();
        for (const one of pages) timeline.addPage(one);
        for (const event of service.events) if (heard.next().value) timeline.receive(event);
        const { messages, from, to, hasAfter, head, isLoaded } = timeline.view();
        const there = messages.map((one) => one.seq);
        expect(there).toEqual([...new Set(there)].sort((a, b) => a - b));
        expect(there.every((seq) => seq >= from && seq <= to)).toBe(true);
        expect(hasAfter).toBe(isLoaded && to < head);
        // What it asks for then fills every hole, also where an answer comes late that was asked for before.
        for (const one of [service.read(null), ...pages]) timeline.addPage(one);
        expect(timeline.view().messages).toEqual(service.read(null).messages);
      }),
      { numRuns: 500 },
    );
  });

  test("shows the newest loaded piece, or the one around a number", () => {
    const timeline = channel();
    expect(timeline.view()).toMatchObject({ messages: [], isLoaded: false });
    timeline.addPage(page([message(8), message(9)], 8, 10));
    timeline.addPage(page([message(2)], 2, 3, 10));
    expect(seqs(timeline)).toEqual([8, 9]);
    expect(seqs(timeline, 2)).toEqual([2]);
    expect(seqs(timeline, 5)).toEqual([8, 9]);
    expect(timeline.view(2)).toMatchObject({ from: 2, to: 3, hasBefore: true, hasAfter: true });
    // 11 was missed: 12 waits until what is before it is there.
    timeline.receive(posted(message(12)));
    expect(timeline.view()).toMatchObject({ to: 10, head: 12, hasAfter: true });
    timeline.addPage(page([message(11), message(12)], 11, 12));
    expect(seqs(timeline)).toEqual([8, 9, 11, 12]);
    timeline.addPage(page([message(4), message(6)], 4, 7, 12));
    expect(seqs(timeline)).toEqual([2, 4, 6, 8, 9, 11, 12]);
  });

  test("begins with what comes into an empty channel", () => {
    const timeline = channel();
    timeline.addPage(page([], 0, 0));
    timeline.receive(posted(message(1)));
    timeline.receive(posted(message(2, { parent_id: "m1" })));
    timeline.addMessage(message(3, { temp_id: "t" }));
    expect(seqs(timeline)).toEqual([1, 3]);
    expect(timeline.view().hasAfter).toBe(false);
  });

  test("writes an answer on as it comes, and takes the whole when it is there", () => {
    const timeline = channel();
    const delta = (at: number, text: string): ChannelEvent => ({
      type: "channel:message:delta",
      data: { id: "m1", at, text },
    });
    const content = () => timeline.view().messages[0]!.content;
    timeline.addPage(page([message(1, { content: "A", state: "streaming" })], 0, 1));
    timeline.receive(delta(1, "ho"));
    timeline.receive(delta(3, "y"));
    expect(content()).toBe("Ahoy");
    // Something was missed.
    timeline.receive(delta(9, "!"));
    expect(content()).toBe("Ahoy");
    timeline.receive(updated(message(1, { content: "Ah", state: "streaming", updated_at: 2 })));
    expect(content()).toBe("Ahoy");
    timeline.receive(updated(message(1, { content: "Ahoy, all", state: "streaming", updated_at: 3 })));
    expect(content()).toBe("Ahoy, all");
    timeline.receive(delta(0, "New"));
    expect(content()).toBe("New");
    timeline.receive(updated(message(1, { content: "Done", updated_at: 4 })));
    timeline.receive(delta(4, " late"));
    expect(content()).toBe("Done");
  });

  test("keeps objects that did not change", () => {
    const timeline = channel();
    timeline.addPage(page([message(1), message(2)], 0, 2));
    const before = timeline.view().messages;
    timeline.receive(posted(message(3)));
    timeline.receive(updated(message(2, { updated_at: 2 })));
    const after = timeline.view().messages;
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test("when it is distrusted shows what it had until a page is there that was asked for later", () => {
    const timeline = channel();
    const { life } = timeline;
    timeline.addPage(page([message(1), message(2)], 0, 2));
    timeline.distrust();
    timeline.receive(posted(message(4)));
    timeline.addPage(page([message(1), message(2)], 0, 2), life);
    expect(timeline.view()).toMatchObject({ isStale: true, head: 4 });
    expect(seqs(timeline)).toEqual([1, 2]);
    timeline.addPage(page([message(1), message(3)], 0, 3, 4), timeline.life);
    expect(seqs(timeline)).toEqual([1, 3, 4]);
    expect(timeline.view().isStale).toBe(false);
  });

  test("forgets what is old, and keeps few of the pieces that came by themselves", () => {
    const timeline = channel();
    timeline.addPage(page([message(1), message(2), message(3)], 0, 3));
    timeline.forgetBefore(3);
    expect(timeline.view()).toMatchObject({ from: 3, to: 3, hasBefore: true });
    for (let seq = 1000; seq < 3000; seq += 2) timeline.receive(updated(message(seq)));
    expect(seqs(timeline, 2998)).toEqual([2998]);
    // Forgotten is not known: a page brings it again.
    timeline.addPage(page([message(1000)], 1000, 1000, 3000));
    expect(seqs(timeline, 1000)).toEqual([1000]);
    expect(seqs(timeline, 1002)).toEqual([1000]);
  });

  test("ignores what is about no messages", () => {
    const timeline = channel();
    timeline.addPage(page([message(1)], 0, 1));
    const before = timeline.view();
    timeline.receive({ type: "channel:typing", data: { user: { id: "x", name: "X" }, parent_id: null } });
    timeline.receive({ type: "channel:members", data: {} });
    expect(timeline.view()).toEqual(before);
  });
});
