import { describe, expect, it } from "vitest";
import { readEnding } from "../../../../src/ui/features/chat/read-ending.ts";

const run = {
  run_id: "r",
  chat_id: "c",
  message_id: "m",
  model: "x",
  content: "so far",
  reasoning: "why",
  started_at: 1,
};
const event = (type: string, data: unknown) => ({ chat_id: "c", message_id: "m", run_id: "r", data: { type, data } });

describe("the event that ends an answer", () => {
  it("brings the whole text, the state and the usage", () => {
    const data = {
      done: true,
      content: "all",
      reasoning: "because",
      state: "done",
      usage: { total_tokens: 3 },
      duration: 2.5,
    };
    expect(readEnding(event("chat:completion", data), run)).toEqual({
      content: "all",
      reasoning: "because",
      state: "done",
      done: true,
      error: null,
      usage: { total_tokens: 3 },
      duration: 2.5,
    });
  });

  it("keeps what had arrived when the text is not repeated", () => {
    expect(readEnding(event("chat:completion", { done: true, state: "stopped" }), run)).toMatchObject({
      content: "so far",
      state: "stopped",
    });
    expect(readEnding(event("chat:message:error", { error: { message: "no credit", code: "upstream" } }), run)).toEqual(
      {
        content: "so far",
        reasoning: "why",
        state: "error",
        done: true,
        error: { message: "no credit", code: "upstream" },
      },
    );
  });

  it("counts an unknown state as done, or as an error when one came with it", () => {
    expect(readEnding(event("chat:completion", { done: true, content: "" }), undefined)?.state).toBe("done");
    expect(readEnding(event("chat:completion", { done: true, error: "broken" }), undefined)).toMatchObject({
      state: "error",
      error: { message: "broken" },
    });
    expect(readEnding(event("chat:message:error", { error: { content: "peer's shape" } }), undefined)?.error).toEqual({
      message: "peer's shape",
    });
  });

  it("is none of the other events", () => {
    expect(readEnding(event("chat:completion", { usage: {} }), run)).toBeUndefined();
    expect(readEnding(event("chat:message:delta", { content: "x" }), run)).toBeUndefined();
    expect(readEnding(event("chat:completion", null), run)).toBeUndefined();
  });
});
