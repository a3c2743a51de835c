import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LiveEvent } from "../../../../../src/events/protocol.ts";
import { applyEvent } from "../../../../../src/ui/features/chat/items/apply-event.ts";
import { ItemJoiner } from "../../../../../src/ui/features/chat/items/item-joiner.ts";
import { noItems, readItems } from "../../../../../src/ui/features/chat/items/message-items.ts";
import { mergeHistory } from "../../../../../src/ui/features/chat/merge-history.ts";
import { changeMessage, type History } from "../../../../../src/ui/features/chat/message-tree.ts";
import { readHistory } from "../../../../../src/ui/features/chat/read-history.ts";

type Data = LiveEvent["data"];
const status = (description: string, done = false): Data => ({
  type: "status",
  data: { description, done, hidden: false },
});
const source = (name: string): Data => ({ type: "source", data: { source: { name }, document: [name] } });

/** The service: stores first, tells the tabs later, and answers loads with what is stored at that moment. */
class Service {
  readonly statusHistory: unknown[] = [];
  readonly sources: unknown[] = [];
  readonly untold: Data[] = [];

  add(event: Data): void {
    (event.type === "status" ? this.statusHistory : this.sources).push(event.data);
    this.untold.push(event);
  }
  read(): unknown {
    const message = { role: "assistant", content: "", state: "streaming" };
    const items = { statusHistory: [...this.statusHistory], sources: [...this.sources] };
    return structuredClone({ currentId: "m", messages: { m: { ...message, ...items } } });
  }
}

class Tab {
  readonly joiner = new ItemJoiner();
  history: History;
  constructor(service: Service) {
    this.history = readHistory({
      currentId: "m",
      messages: { m: { role: "assistant", content: "", state: "streaming" } },
    });
    this.begin();
    this.arrive(service.read());
  }
  begin(): void {
    this.joiner.begin(this.history);
  }
  hear(event: Data): void {
    const message = this.history.messages["m"]!;
    const next = this.joiner.apply(message, event);
    if (next !== message) this.history = changeMessage(this.history, "m", next);
  }
  arrive(stored: unknown): void {
    const merged = mergeHistory(this.history, readHistory(stored), { unsent: new Set(), isRunning: () => true });
    this.history = this.joiner.join(merged, this.history);
  }
  get items() {
    return this.history.messages["m"]?.items ?? noItems;
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), name: fc.constantFrom("a", "b", "c"), isStatus: fc.boolean() }),
  fc.record({ kind: fc.constant("tell" as const) }),
  fc.record({ kind: fc.constantFrom("begin" as const, "read" as const, "arrive" as const) }),
  fc.record({ kind: fc.constant("load" as const) }),
);

describe("a chat that is loaded while events come", () => {
  it("shows each thing once, whatever was read before it was stored or heard after it was read", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const service = new Service();
        const tab = new Tab(service);
        let loading: { read: unknown } | undefined;
        let names = 0;
        for (const one of steps) {
          if (one.kind === "add") {
            names += 1;
            service.add(one.isStatus ? status(`${one.name}${names % 5}`) : source(`${one.name}${names}`));
          } else if (one.kind === "tell") {
            const event = service.untold.shift();
            if (event) tab.hear(event);
          } else if (one.kind === "load" && !loading) {
            tab.begin();
            tab.arrive(service.read());
          } else if (one.kind === "begin" && !loading) {
            tab.begin();
            loading = { read: undefined };
          } else if (one.kind === "read" && loading) loading.read ??= service.read();
          else if (one.kind === "arrive" && loading?.read !== undefined) {
            tab.arrive(loading.read);
            loading = undefined;
          }
        }
        for (const event of service.untold.splice(0)) tab.hear(event);
        if (loading) tab.arrive(loading.read ?? service.read());
        const expected = readItems({ statusHistory: service.statusHistory, sources: service.sources });
        expect(tab.items.statuses.map((each) => each.description).sort()).toEqual(
          expected.statuses.map((each) => each.description).sort(),
        );
        expect(tab.items.sources).toHaveLength(expected.sources.length);
      }),
      { numRuns: 3000 },
    );
  });

  it("takes a repeated status for a second one when it was heard twice", () => {
    const service = new Service();
    const tab = new Tab(service);
    for (const event of [status("again"), status("again")]) {
      service.add(event);
      tab.hear(event);
    }
    tab.begin();
    tab.arrive(service.read());
    expect(tab.items.statuses).toHaveLength(2);
  });
});

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
