import { describe, expect, it, test } from "vitest";
import { noItems } from "../../../../../src/ui/features/chat/items/message-items.ts";
import { addMessage, emptyHistory, type History } from "../../../../../src/ui/features/chat/message-tree.ts";
import { readHistory } from "../../../../../src/ui/features/chat/read-history.ts";
import { keptChat } from "../../../../../src/ui/features/chat/temporary/kept-chat.ts";
import { readPiece } from "../../../../../src/ui/features/chat/temporary/read-piece.ts";
import { requestOf } from "../../../../../src/ui/features/chat/temporary/request-of.ts";

const file = { type: "file", id: "f", name: "quay.png", content_type: "image/png" };

/** Two exchanges, the answer of the second one still empty. */
function conversation(): History {
  const said = [
    { id: "q1", parentId: null, role: "user", content: "Hi", items: { ...noItems, files: [file] } },
    { id: "a1", parentId: "q1", role: "assistant", content: "Hello", model: "m", reasoning: "hm", state: "done" },
    { id: "x1", parentId: "q1", role: "assistant", content: "", model: "m", state: "error", error: { message: "No" } },
    { id: "q2", parentId: "a1", role: "user", content: "More", models: ["m", "n"] },
    { id: "a2", parentId: "q2", role: "assistant", content: "", model: "m", state: "streaming" },
  ] as const;
  return said.reduce<History>((history, message) => addMessage(history, { timestamp: 1, ...message }), emptyHistory);
}

describe("a request of a temporary chat", () => {
  const turn = { chatId: undefined, model: "m", answerId: "a2", parentId: "q2" };
  const chat = { id: "temporary:1", params: { temperature: 0.2 } };
  const picture = { type: "image_url", image_url: { url: "/api/v1/files/f/content" } };
  const asked = { role: "user", content: [{ type: "text", text: "Hi" }, picture] };

  it("holds the whole branch above the answer and what is attached to it", () => {
    expect(requestOf(conversation(), { ...turn, filterIds: ["f1"] }, turn, chat)).toEqual({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      chat_id: "temporary:1",
      id: "a2",
      messages: [asked, { role: "assistant", content: "Hello" }, { role: "user", content: "More" }],
      params: { temperature: 0.2 },
      files: [file],
      filter_ids: ["f1"],
    });
  });

  it("ends with the answer that goes on, and leaves out those without a text", () => {
    const going = { ...turn, answerId: "a1", parentId: "q1", goOn: true };
    expect(requestOf(conversation(), going, going, chat)["messages"]).toEqual([
      asked,
      { role: "assistant", content: "Hello" },
    ]);
    const again = { ...turn, answerId: "x1", parentId: "q1" };
    expect(requestOf(conversation(), again, again, chat)["messages"]).toEqual([asked]);
  });
});

test("a temporary chat that is kept is read as it was", () => {
  const history = conversation();
  const chat = keptChat("Hi", history, { seed: 7 });
  expect(chat).toMatchObject({ title: "Hi", params: { seed: 7 } });
  const read = readHistory(chat["history"]);
  expect(read.currentId).toBe("a2");
  for (const [id, message] of Object.entries(history.messages)) {
    const { items, ...plain } = message;
    expect(read.messages[id]).toMatchObject(plain);
    expect(read.messages[id]?.items?.files ?? []).toEqual(items?.files ?? []);
  }
});

describe("events of a stream", () => {
  const chunk = (fields: object) => JSON.stringify({ object: "chat.completion.chunk", ...fields });
  it("come together as one piece", () => {
    const said = (delta: object) => chunk({ choices: [{ index: 0, delta }] });
    expect(
      readPiece([
        said({ role: "assistant", content: "" }),
        said({ reasoning_content: "hm" }),
        said({ content: "Par" }),
        said({ content: "is" }),
        chunk({ choices: [], usage: { prompt_tokens: 1 } }),
        "[DONE]",
      ]),
    ).toEqual({ content: "Paris", reasoning: "hm", usage: { prompt_tokens: 1 }, isLast: true });
  });

  it("may be errors, or nothing that is known", () => {
    expect(readPiece([chunk({ error: { message: "Too many", code: "rate_limit" } })]).error).toEqual({
      message: "Too many",
      code: "rate_limit",
    });
    for (const data of ["", "{", "null", "[]", '"x"', '{"choices":3}', '{"choices":[{"delta":null}]}'])
      expect(readPiece([data])).toEqual({ content: "", reasoning: "", isLast: false });
  });
});
