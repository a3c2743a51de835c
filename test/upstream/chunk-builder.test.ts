import { describe, expect, it } from "vitest";
import { completionFromText, streamFromText } from "../../src/upstream/chunks/chunk-builder.ts";
import { UpstreamError } from "../../src/upstream/errors/upstream-error.ts";
import { checkStream } from "../grammar/chat-completions.ts";
import { readAll } from "./streams.ts";

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const identity = { model: "guide", now: () => 7, newId: () => "x" };

async function* texts(...parts: (string | Error)[]): AsyncGenerator<string> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

describe("a completion made of a text", () => {
  it("has all that the dialect asks for", () => {
    expect(completionFromText("Hi", { ...identity, usage })).toEqual({
      id: "chatcmpl-x",
      object: "chat.completion",
      created: 7,
      model: "guide",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, logprobs: null, finish_reason: "stop" }],
      usage,
    });
  });
});

describe("a stream made of texts", () => {
  it("keeps the grammar, with usage where it is given", async () => {
    const { body, finished } = streamFromText(texts("Hé", "llo"), { ...identity, usage: () => usage });
    const checked = checkStream(await readAll(body), { usage: true });
    expect([checked.content.get(0), checked.finish.get(0), checked.usage]).toEqual(["Héllo", "stop", usage]);
    expect(await finished).toMatchObject({ content: "Héllo", finishReason: "stop", usage, error: undefined });
  });

  it("without a text is an empty answer", async () => {
    const checked = checkStream(await readAll(streamFromText(texts(), identity).body), { usage: false });
    expect(checked.finish.get(0)).toBe("stop");
  });

  it("ends in an error where the generator throws, and tells nothing of its insides", async () => {
    const { body, finished } = streamFromText(texts("Hi", new Error("secret path /x")), identity);
    const bytes = await readAll(body);
    const checked = checkStream(bytes, { usage: false });
    expect(checked.error).toMatchObject({ code: "function_failed", status: 500 });
    expect(new TextDecoder().decode(bytes)).not.toContain("secret");
    expect(await finished).toMatchObject({ content: "Hi", finishReason: null, error: { code: "function_failed" } });
  });

  it("ends in the generator's own error where it knows one", async () => {
    const { body } = streamFromText(texts(new UpstreamError(429, "wait", { code: "slow" })), identity);
    expect(checkStream(await readAll(body), { usage: false }).error).toMatchObject({
      message: "wait",
      code: "slow",
      status: 429,
    });
  });

  it("takes texts only as they are read, and ends the generator when the reader leaves", async () => {
    const state = { taken: 0, ended: false };
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) {
          state.taken += 1;
          yield "x";
        }
      } finally {
        state.ended = true;
      }
    }
    const { body, finished } = streamFromText(endless(), identity);
    const reader = body.getReader();
    expect(state.taken).toBe(0);
    await reader.read();
    await reader.read();
    expect(state.taken).toBe(2);
    await reader.cancel();
    expect(await finished).toMatchObject({ content: "xx", error: { code: "request_cancelled" } });
    expect(state.ended).toBe(true);
  });

  it("fails with the signal's reason", async () => {
    const caller = new AbortController();
    const { body } = streamFromText(texts("a", "b"), { ...identity, signal: caller.signal });
    const reader = body.getReader();
    await reader.read();
    const reason = new Error("gone");
    caller.abort(reason);
    await expect(reader.read()).rejects.toBe(reason);
  });
});
