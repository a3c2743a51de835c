import { queryMemories } from "../../memories/find-memories.ts";
import { addMemory, changeMemory, deleteMemory, listMemories } from "../../memories/memories.ts";
import { memoryChange, memoryQuery, newMemory } from "../../memories/schema.ts";
import type { Handler } from "./capabilities.ts";
import { readArguments, textOf } from "./request-arguments.ts";

/** What a plugin can do with memories: those of the person for whom it runs, where the person may have some. */
export const memoryRequests: Readonly<Record<string, Handler>> = {
  "memory.list": (ctx) => listMemories(ctx),
  "memory.query": (ctx, args) => queryMemories(ctx, readArguments(memoryQuery, args)),
  "memory.add": (ctx, args) => addMemory(ctx, readArguments(newMemory, args)),
  "memory.update": (ctx, { id, ...change }) => changeMemory(ctx, textOf("id", id), readArguments(memoryChange, change)),
  async "memory.delete"(ctx, { id }) {
    await deleteMemory(ctx, textOf("id", id));
    return true;
  },
};
