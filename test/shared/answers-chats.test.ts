import { describe, expect, test } from "vitest";
import { answersChats } from "../../src/shared/answers-chats.ts";

describe("whether a model answers chats", () => {
  test.each([
    ["text-embedding-3-small", false],
    ["text-embedding-ada-002", false],
    ["models/embedding-001", false],
    ["mistral-embed", false],
    ["nomic-embed-text:latest", false],
    ["BAAI/bge-m3", false],
    ["all-minilm:33m", false],
    ["rerank-v3.5", false],
    ["whisper-1", false],
    ["tts-1-hd", false],
    ["omni-moderation-latest", false],
    ["dall-e-3", false],
    ["gpt-4o-mini", true],
    ["embedded-systems-helper", true],
    ["llama3.2:3b", true],
    ["mttsx", true],
    ["claude-sonnet", true],
  ])("by the id %s: %s", (id, expected) => {
    expect(answersChats([undefined], [undefined], id)).toBe(expected);
  });

  test.each([
    ["a local runtime's embedding model", { capabilities: ["embedding"] }, false],
    ["a local runtime's chat model", { capabilities: ["completion", "tools"] }, true],
    ["a local runtime's family", { details: { family: "nomic-bert" } }, false],
    ["Mistral's", { capabilities: { completion_chat: false } }, false],
    ["OpenRouter's", { architecture: { output_modalities: ["embeddings"] } }, false],
    ["OpenRouter's with text", { architecture: { output_modalities: ["image", "text"] } }, true],
    ["a type", { type: "embeddings" }, false],
    ["a type that writes text about pictures", { type: "image-text-to-text" }, true],
    ["nonsense", { capabilities: 7, architecture: "no", details: [] }, true],
  ])("by the list of the provider: %s", (_name, listed, expected) => {
    expect(answersChats([], [listed], "tide")).toBe(expected);
  });

  test("as an administrator has said, before everything else", () => {
    expect(answersChats([{ chat: true }], [{ capabilities: ["embedding"] }], "bge-m3")).toBe(true);
    expect(answersChats([undefined, { chat: false }], [], "tide")).toBe(false);
    expect(answersChats([{ chat: true }, { chat: false }], [], "tide")).toBe(true);
    // The list of the provider knows better than its id.
    expect(answersChats([], [{ capabilities: ["completion"] }], "bge-m3")).toBe(true);
  });
});
