import { expect, test } from "vitest";
import { readAddedMemory } from "../../../../../src/ui/features/chat/answer/read-added-memory.ts";
import { readTool } from "../../../../../src/ui/features/chat/items/message-items.ts";

const added = {
  call_id: "c",
  name: "add_memory",
  title: "Add memory",
  source: { kind: "built-in", id: "memories", name: "Memories" },
  arguments: "{}",
  state: "done",
  result: '{"status":"success","id":"m","content":"Sails on Sundays"}',
};
const read = (change: object = {}) => readAddedMemory(readTool({ ...added, ...change })!);

test("a memory that was added is found in the call that added it", () => {
  expect(read()).toEqual({ id: "m", content: "Sails on Sundays" });
});

test.each([
  ["still runs", { state: "running" }],
  ["failed", { state: "error", error: "Only 5" }],
  ["found that it is known", { result: '{"status":"skipped"}' }],
  ["says nothing that can be read", { result: "{" }],
  ["is of a plugin that calls its tool the same", { source: { kind: "plugin", id: "memories", name: "Memories" } }],
  ["is another one", { name: "search_memories" }],
])("no memory was added by a call that %s", (_, change) => {
  expect(read(change)).toBeUndefined();
});
