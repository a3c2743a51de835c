import { expect, test } from "vitest";
import type { Model } from "../../../../src/ui/features/chat/models.svelte.ts";
import { chatModels, groupModels } from "../../../../src/ui/features/chat/order-models.ts";

const made = (id: string, owner: string, base: string): Model => ({
  id,
  preset: true,
  info: { user_id: owner, base_model_id: base },
});
const all: Model[] = [
  { id: "large" },
  { id: "small" },
  { id: "text-embedding-3-small" },
  made("embed-help", "ada", "large"),
  made("house", "grace", "small"),
  made("vectors", "ada", "text-embedding-3-small"),
  { id: "embed-pipe", pipe: { type: "pipe" } },
];

test("models for embeddings and what is made of them are not offered, functions and assistants are", () => {
  expect(chatModels(all).map(({ id }) => id)).toEqual(["large", "small", "embed-help", "house", "embed-pipe"]);
});

test("pins come first in their order, then the person's own assistants, then those of others", () => {
  const ids = (pinned: string[]) =>
    groupModels(chatModels(all), pinned, "ada").map(({ kind, models }) => [kind, models.map(({ id }) => id)]);
  expect(ids([])).toEqual([
    ["own", ["embed-help"]],
    ["assistants", ["house"]],
    ["others", ["large", "small", "embed-pipe"]],
  ]);
  expect(ids(["small", "gone", "large"])).toEqual([
    ["pinned", ["small", "large"]],
    ["own", ["embed-help"]],
    ["assistants", ["house"]],
    ["others", ["embed-pipe"]],
  ]);
});
