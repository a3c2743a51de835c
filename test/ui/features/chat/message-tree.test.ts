import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type History,
  type Message,
  addMessage,
  changeMessage,
  countBranch,
  currentPath,
  emptyHistory,
  pathTo,
  removeMessage,
  showBranch,
  siblings,
  soundHistory,
} from "../../../../src/ui/features/chat/message-tree.ts";

function message(id: string, parentId: string | null, role: Message["role"] = "user"): Omit<Message, "childrenIds"> {
  return { id, parentId, role, content: id, timestamp: Number(id.replace(/\D/g, "")) };
}

/** m1 (user) -> m2, m5 (answers); m2 -> m3 (user) -> m4. */
function branched(): History {
  let history = emptyHistory;
  for (const [id, parent] of [
    ["m1", null],
    ["m2", "m1"],
    ["m3", "m2"],
    ["m4", "m3"],
    ["m5", "m1"],
  ] as const) {
    history = addMessage(history, message(id, parent));
  }
  return history;
}

const ids = (messages: Message[]) => messages.map((one) => one.id);

describe("the message tree", () => {
  it("shows the branch of the message added last", () => {
    expect(ids(currentPath(branched()))).toEqual(["m1", "m5"]);
  });

  it("makes a regenerated answer a sibling and an edited question a sibling root", () => {
    expect(siblings(branched(), "m2")).toEqual(["m2", "m5"]);
    const edited = addMessage(branched(), message("m6", null));
    expect(siblings(edited, "m1")).toEqual(["m1", "m6"]);
    expect(ids(currentPath(edited))).toEqual(["m6"]);
  });

  it("goes down to the newest descendant when a branch is chosen", () => {
    expect(ids(currentPath(showBranch(branched(), "m2")))).toEqual(["m1", "m2", "m3", "m4"]);
    expect(showBranch(branched(), "unknown")).toEqual(branched());
  });

  it("removes a message with its branch and shows what stands beside or above it", () => {
    const shown = showBranch(branched(), "m2");
    expect(countBranch(shown, "m2")).toBe(3);
    expect(countBranch(shown, "unknown")).toBe(0);
    expect(ids(currentPath(removeMessage(shown, "m2")))).toEqual(["m1", "m5"]);
    expect(ids(currentPath(removeMessage(shown, "m4")))).toEqual(["m1", "m2", "m3"]);
    expect(removeMessage(shown, "m1")).toEqual({ currentId: null, messages: {} });
    expect(ids(currentPath(removeMessage(shown, "m5")))).toEqual(["m1", "m2", "m3", "m4"]);
  });

  it("changes a message without touching the others", () => {
    const before = branched();
    const after = changeMessage(before, "m4", { content: "new" });
    expect(after.messages["m4"]?.content).toBe("new");
    expect(after.messages["m3"]).toBe(before.messages["m3"]);
    expect(changeMessage(before, "unknown", { content: "x" })).toBe(before);
  });
});

const stored = fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 15 }).chain((numbers) =>
  fc.record({
    currentId: fc.option(fc.nat(30).map((n) => `m${n}`)),
    messages: fc
      .tuple(
        ...numbers.map((n) =>
          fc
            .record({ parent: fc.option(fc.nat(30)), children: fc.array(fc.nat(30), { maxLength: 3 }) })
            .map((links) => ({ n, ...links })),
        ),
      )
      .map((rows) =>
        Object.fromEntries(
          rows.map(({ n, parent, children }) => [
            `m${n}`,
            {
              ...message(`m${n}`, parent === null ? null : `m${parent}`),
              childrenIds: children.map((child) => `m${child}`),
            },
          ]),
        ),
      ),
  }),
);

describe("whatever another client has stored", () => {
  it("becomes a tree: every message is reachable from a root, links agree both ways, the current message exists", () => {
    fc.assert(
      fc.property(stored, (history) => {
        const sound = soundHistory(history);
        expect(Object.keys(sound.messages).sort()).toEqual(Object.keys(history.messages).sort());
        for (const one of Object.values(sound.messages)) {
          expect(pathTo(sound, one.id)[0]?.parentId).toBeNull();
          expect(siblings(sound, one.id)).toContain(one.id);
          for (const child of one.childrenIds) expect(sound.messages[child]?.parentId).toBe(one.id);
          expect(new Set(one.childrenIds).size).toBe(one.childrenIds.length);
        }
        expect(sound.currentId !== null && sound.messages[sound.currentId]).toBeTruthy();
        expect(soundHistory(sound)).toEqual(sound);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps right links and the order of versions as they were", () => {
    const history = showBranch(branched(), "m2");
    expect(soundHistory(history)).toEqual(history);
    const reordered: History = changeMessage(history, "m1", { childrenIds: ["m5", "m2"] });
    expect(siblings(soundHistory(reordered), "m2")).toEqual(["m5", "m2"]);
  });
});

describe("any sequence of adding, choosing and removing", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("add" as const), id: fc.nat(20), parent: fc.nat(20) }),
    fc.record({ kind: fc.constant("show" as const), id: fc.nat(20), parent: fc.nat(20) }),
    fc.record({ kind: fc.constant("remove" as const), id: fc.nat(20), parent: fc.nat(20) }),
  );

  it("leaves a sound tree whose shown branch ends at the current message", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let history = emptyHistory;
        for (const { kind, id, parent } of steps) {
          const name = `m${id}`;
          if (kind === "add" && !history.messages[name]) {
            history = addMessage(history, message(name, history.messages[`m${parent}`] ? `m${parent}` : null));
          } else if (kind === "show") history = showBranch(history, name);
          else if (kind === "remove") history = removeMessage(history, name);
          expect(soundHistory(history)).toEqual(history);
          expect(currentPath(history).at(-1)?.id ?? null).toBe(history.currentId);
        }
      }),
      { numRuns: 300 },
    );
  });
});
