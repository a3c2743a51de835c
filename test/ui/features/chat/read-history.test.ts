import { describe, expect, it } from "vitest";
import { currentPath } from "../../../../src/ui/features/chat/message-tree.ts";
import { readHistory } from "../../../../src/ui/features/chat/read-history.ts";

/** Two answers to one question, and a turn below the first of them. */
const messages = {
  question: { role: "user", parentId: null, content: "What is the capital of France?" },
  one: { role: "assistant", parentId: "question", content: "Paris." },
  other: { role: "assistant", parentId: "question", content: "It is Paris." },
  next: { role: "user", parentId: "one", content: "And of Spain?" },
  last: { role: "assistant", parentId: "next", content: "Madrid." },
};

const shown = (currentId: unknown) => currentPath(readHistory({ currentId, messages })).map(({ id }) => id);

describe("the branch of a stored chat", () => {
  it.each([
    ["its last message", "last", ["question", "one", "next", "last"]],
    ["a message in the middle", "one", ["question", "one", "next", "last"]],
    ["its first message", "question", ["question", "other"]],
    ["another version", "other", ["question", "other"]],
    ["no message of it", "gone", ["question", "other"]],
    ["nothing", null, ["question", "other"]],
  ])("is shown to its end where %s is stored as the current one", (_what, currentId, ids) => {
    expect(shown(currentId)).toEqual(ids);
  });
});
