import { describe, expect, it } from "vitest";
import { usedTokens } from "../../../../../src/ui/features/chat/context/context-use.ts";
import { noItems } from "../../../../../src/ui/features/chat/items/message-items.ts";
import type { Message } from "../../../../../src/ui/features/chat/message-tree.ts";

const message = (role: Message["role"], content: string, more: Partial<Message> = {}): Message => ({
  id: content,
  parentId: null,
  childrenIds: [],
  role,
  content,
  timestamp: 0,
  state: "done",
  ...more,
});
const usage = { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1000 };
const text = "1234".repeat(10);

describe("the tokens of a branch", () => {
  it("are what the provider counted for the last answer, and an estimate of the rest", () => {
    expect(usedTokens([message("user", text)])).toBe(10);
    expect(usedTokens([message("user", text), message("assistant", text, { usage }), message("user", text)])).toBe(
      1010,
    );
  });

  it("are estimated where the count is of several calls, or of another text", () => {
    const tools = [{} as never];
    expect(
      usedTokens([message("user", text), message("assistant", text, { usage, items: { ...noItems, tools } })]),
    ).toBe(20);
    const edited = { original: "x", at: 0 };
    expect(usedTokens([message("user", text), message("assistant", text, { usage, edited })])).toBe(20);
  });

  it("are those after the newest summary", () => {
    const path = [
      message("user", text),
      message("assistant", text, { usage }),
      message("user", text, { summary: "1234" }),
      message("assistant", text),
    ];
    expect(usedTokens(path)).toBe(21);
  });
});
