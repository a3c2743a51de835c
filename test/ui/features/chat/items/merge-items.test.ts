import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LiveEvent } from "../../../../../src/shared/live-protocol.ts";
import { applyEvent } from "../../../../../src/ui/features/chat/items/apply-event.ts";
import { addEvent } from "../../../../../src/ui/features/chat/items/merge-items.ts";
import { noItems, readItems } from "../../../../../src/ui/features/chat/items/message-items.ts";
import { mergeHistory } from "../../../../../src/ui/features/chat/merge-history.ts";
import { changeMessage, type History } from "../../../../../src/ui/features/chat/message-tree.ts";
import { readHistory } from "../../../../../src/ui/features/chat/read-history.ts";

type Data = LiveEvent["data"];
const empty = { role: "assistant", content: "", state: "streaming" };

/** The service: stores first, tells the tabs later, in order, and answers loads with what is stored at that moment. */
class Service {
  readonly statusHistory: unknown[] = [];
  readonly sources: unknown[] = [];
  output: Record<string, unknown>[] = [];
  readonly untold: LiveEvent[] = [];
  #last = 0;

  add(kind: "status" | "source", name: string): void {
    this.#last += 1;
    const data = kind === "status" ? { description: name, done: false, hidden: false } : { source: { name } };
    (kind === "status" ? this.statusHistory : this.sources).push(data);
    this.untold.push({ message_id: "m", item: this.#last, data: { type: kind, data } });
  }
  /** A call of a tool begins, or ends when it has begun. */
  call(id: string): void {
    const known = this.output.find((each) => each["call_id"] === id);
    const data = { call_id: id, name: "t", arguments: "{}", at: 0, started_at: 1, state: known ? "done" : "running" };
    this.output = known ? this.output.map((each) => (each === known ? data : each)) : [...this.output, data];
    if (!known) this.#last += 1;
    this.untold.push({ message_id: "m", data: { type: "chat:tool", data } });
  }
  get stored() {
    const { statusHistory, sources, output } = this;
    return { ...empty, statusHistory, sources, output, lastItem: this.#last };
  }
  read(): unknown {
    return structuredClone({ currentId: "m", messages: { m: this.stored } });
  }
}

class Tab {
  history: History = readHistory({ currentId: "m", messages: { m: empty } });

  hear(event: LiveEvent): void {
    this.history = changeMessage(this.history, "m", { items: addEvent(this.items, event) });
  }
  arrive(stored: unknown): void {
    this.history = mergeHistory(this.history, readHistory(stored), { unsent: new Set(), isRunning: () => true });
  }
  get items() {
    return this.history.messages["m"]?.items ?? noItems;
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom("status" as const, "source" as const), name: fc.constantFrom("a", "b") }),
  fc.record({ kind: fc.constant("call" as const), name: fc.constantFrom("1", "2", "3") }),
  fc.record({ kind: fc.constantFrom("tell" as const, "read" as const, "arrive" as const) }),
);

describe("a chat that is loaded while events come", () => {
  it("shows each thing once and in order, whatever was read before it was stored or heard after it was read", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const service = new Service();
        const tab = new Tab();
        let loading: unknown;
        for (const one of steps) {
          if (one.kind === "status" || one.kind === "source") service.add(one.kind, one.name);
          else if (one.kind === "call") service.call(one.name);
          else if (one.kind === "tell") {
            const event = service.untold.shift();
            if (event) tab.hear(event);
          } else if (one.kind === "read") loading ??= service.read();
          else if (loading !== undefined) {
            tab.arrive(loading);
            loading = undefined;
          }
        }
        for (const event of service.untold.splice(0)) tab.hear(event);
        if (loading !== undefined) tab.arrive(loading);
        const { last: _, ...items } = tab.items;
        const { last: __, ...expected } = readItems(service.stored);
        expect({ ...items, tools: byCall(items.tools) }).toEqual({ ...expected, tools: byCall(expected.tools) });
      }),
      { numRuns: 2000 },
    );
  });

  it("takes a repeated status for a second one", () => {
    const service = new Service();
    const tab = new Tab();
    service.add("status", "again");
    service.add("status", "again");
    for (const event of service.untold) tab.hear(event);
    tab.arrive(service.read());
    expect(tab.items.statuses).toHaveLength(2);
  });
});

function byCall<T extends { callId: string }>(steps: readonly T[]): T[] {
  return steps.toSorted((a, b) => (a.callId < b.callId ? -1 : 1));
}

describe("events beside the text", () => {
  const apply = (...events: Data[]) => {
    const items = { ...noItems };
    for (const event of events) Object.assign(items, applyEvent(items, event));
    return items;
  };

  it("mean the same under long and short names", () => {
    expect(apply({ type: "files", data: { files: [{ id: "1" }] } })).toEqual(
      apply({ type: "chat:message:files", data: { files: [{ id: "1" }] } }),
    );
    expect(apply({ type: "embeds", data: { embeds: ["a"] } })).toEqual(
      apply({ type: "chat:message:embeds", data: { embeds: ["a"] } }),
    );
    expect(apply({ type: "citation", data: { source: { name: "x" } } })).toEqual(
      apply({ type: "source", data: { source: { name: "x" } } }),
    );
  });

  it("set files, add and replace embeds, and keep one step for each call", () => {
    const step = { call_id: "1", name: "add", arguments: "{}", state: "running", at: 3, started_at: 1 };
    const items = apply(
      { type: "files", data: { files: [{ id: "1" }] } },
      { type: "files", data: { files: [{ id: "2" }] } },
      { type: "embeds", data: { embeds: ["a"] } },
      { type: "embeds", data: { embeds: ["b"] } },
      { type: "chat:tool", data: step },
      { type: "chat:tool", data: { ...step, state: "done", result: "5", ended_at: 2 } },
      { type: "chat:message:favorite", data: { favorite: true } },
      { type: "chat:message:follow_ups", data: { follow_ups: ["More?", 3, ""] } },
    );
    expect(items).toMatchObject({
      files: [{ id: "2" }],
      embeds: ["a", "b"],
      tools: [{ callId: "1", state: "done", result: "5", at: 3 }],
      favorite: true,
      followUps: ["More?"],
    });
    expect(
      apply({ type: "embeds", data: { embeds: ["a"] } }, { type: "embeds", data: { embeds: [], replace: true } })
        .embeds,
    ).toEqual([]);
  });

  it("of any other type or shape change nothing and break nothing", () => {
    for (const type of ["custom:thing", "notification", "execute", "constructor", ""])
      expect(applyEvent(noItems, { type, data: { x: 1 } })).toBeUndefined();
    for (const data of [null, 3, "x", [], {}])
      for (const type of [
        "status",
        "source",
        "files",
        "embeds",
        "chat:tool",
        "chat:message:favorite",
        "chat:message:follow_ups",
      ])
        expect(() => applyEvent(noItems, { type, data })).not.toThrow();
    expect(applyEvent(noItems, { type: "source", data: { type: "code_execution", id: 1 } })).toBeUndefined();
  });
});

describe("a status left open", () => {
  it("is closed in a message that nothing writes to, and open in one that is being written", () => {
    const stored = (state: string) =>
      readHistory({
        messages: { m: { role: "assistant", state, statusHistory: [{ description: "x", done: false }] } },
      });
    expect(stored("done").messages["m"]?.items?.statuses[0]?.done).toBe(true);
    expect(stored("streaming").messages["m"]?.items?.statuses[0]?.done).toBe(false);
  });
});
