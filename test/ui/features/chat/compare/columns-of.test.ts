import { describe, expect, it } from "vitest";
import { columnsOf } from "../../../../../src/ui/features/chat/compare/columns-of.ts";
import {
  addMessage,
  emptyHistory,
  type History,
  showBranch,
} from "../../../../../src/ui/features/chat/message-tree.ts";

const question = { id: "q", parentId: null, role: "user", content: "Hi", timestamp: 1 } as const;

/** A question to the models, with answers written as `id model`. */
function asked(models: string[], answers: readonly string[]): History {
  return answers.reduce<History>(
    (history, answer) => {
      const [id, model] = answer.split(" ") as [string, string];
      return addMessage(history, { id, model, parentId: "q", role: "assistant", content: id, timestamp: 2 });
    },
    addMessage(emptyHistory, { ...question, models }),
  );
}

describe("answers side by side", () => {
  it("stand in the order in which the models were chosen, with all of their versions", () => {
    const history = showBranch(asked(["a", "b"], ["b1 b", "a1 a", "b2 b"]), "a1");
    expect(columnsOf(history, "a1")).toEqual([
      { model: "a", versions: ["a1"], shown: "a1", isChosen: true },
      { model: "b", versions: ["b1", "b2"], shown: "b2", isChosen: false },
    ]);
    expect(columnsOf(history, "b1")?.map(({ shown, isChosen }) => [shown, isChosen])).toEqual([
      ["a1", false],
      ["b1", true],
    ]);
  });

  it("come last where the model was not one of those that were chosen", () => {
    expect(columnsOf(asked(["b", "a"], ["c1 c", "a1 a", "b1 b"]), "a1")?.map(({ model }) => model)).toEqual([
      "b",
      "a",
      "c",
    ]);
  });

  it.each([
    ["only one model was asked", asked(["a"], ["a1 a", "b1 b"]), "a1"],
    ["the answers of the others are gone", asked(["a", "b"], ["a1 a", "a2 a"]), "a2"],
    ["it is no answer", asked(["a", "b"], ["a1 a", "b1 b"]), "q"],
    ["there is no such message", asked(["a", "b"], ["a1 a", "b1 b"]), "x"],
  ])("are none where %s", (_, history, id) => {
    expect(columnsOf(history, id)).toBeUndefined();
  });
});
