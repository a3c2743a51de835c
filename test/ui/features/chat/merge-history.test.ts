import { describe, expect, it } from "vitest";
import { mergeHistory } from "../../../../src/ui/features/chat/merge-history.ts";
import {
  addMessage,
  currentPath,
  emptyHistory,
  type History,
  type Message,
} from "../../../../src/ui/features/chat/message-tree.ts";

function chain(...messages: (Partial<Message> & { id: string })[]): History {
  let history = emptyHistory;
  for (const one of messages) {
    const parentId = one.parentId === undefined ? history.currentId : one.parentId;
    history = addMessage(history, { role: "user", content: one.id, timestamp: 1, state: "done", ...one, parentId });
  }
  return history;
}
const nothing = { unsent: new Set<string>(), isRunning: () => false };
const ids = (history: History) => currentPath(history).map((one) => one.id);

describe("joining the stored chat with what a tab shows", () => {
  it("takes what the service has, also when this tab shows nothing yet", () => {
    const stored = chain({ id: "q" }, { id: "a", role: "assistant", content: "text" });
    expect(mergeHistory(emptyHistory, stored, nothing)).toEqual(stored);
  });

  it("keeps messages that are on their way", () => {
    const shown = chain({ id: "q" }, { id: "a" }, { id: "q2" }, { id: "a2" });
    const merged = mergeHistory(shown, chain({ id: "q" }, { id: "a" }), { ...nothing, unsent: new Set(["q2", "a2"]) });
    expect(ids(merged)).toEqual(["q", "a", "q2", "a2"]);
  });

  it("follows a branch that another tab has continued", () => {
    const shown = chain({ id: "q" }, { id: "a" });
    expect(ids(mergeHistory(shown, chain({ id: "q" }, { id: "a" }, { id: "q2" }), nothing))).toEqual(["q", "a", "q2"]);
  });

  it("stays on the branch this tab shows when another tab looks at a different one", () => {
    const shown = chain({ id: "q" }, { id: "a" });
    const stored = addMessage(shown, { id: "b", parentId: "q", role: "assistant", content: "", timestamp: 2 });
    expect(ids(mergeHistory(shown, stored, nothing))).toEqual(["q", "a"]);
  });

  it("goes where the service is when the shown message was deleted elsewhere", () => {
    expect(ids(mergeHistory(chain({ id: "q" }, { id: "gone" }), chain({ id: "q" }), nothing))).toEqual(["q"]);
  });

  it("does not make an ended answer unfinished again, unless a run writes to it", () => {
    const shown = chain({ id: "q" }, { id: "a", content: "whole", state: "done", duration: 2 });
    const stored = chain({ id: "q" }, { id: "a", content: "who", state: "streaming" });
    expect(mergeHistory(shown, stored, nothing).messages["a"]).toMatchObject({ content: "whole", state: "done" });
    expect(mergeHistory(shown, stored, { ...nothing, isRunning: () => true }).messages["a"]).toMatchObject({
      content: "who",
      state: "streaming",
    });
  });

  it("takes the end of an answer from the service and keeps the time this tab has measured", () => {
    const shown = chain({ id: "q" }, { id: "a", content: "who", state: "streaming", duration: 2 });
    const stored = chain({ id: "q" }, { id: "a", content: "whole", state: "interrupted" });
    expect(mergeHistory(shown, stored, nothing).messages["a"]).toMatchObject({
      content: "whole",
      state: "interrupted",
      duration: 2,
    });
  });
});
