import { beforeEach, expect, test, vi } from "vitest";
import type { Outgoing } from "../../../../src/ui/features/channels/outbox.svelte.ts";
import { readOutbox, writeOutbox } from "../../../../src/ui/features/channels/stored-outbox.ts";

const now = Date.UTC(2026, 10, 22);
let storage: Map<string, string>;

beforeEach(() => {
  storage = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  });
  return () => vi.unstubAllGlobals();
});

const outgoing: Outgoing = {
  tempId: "t1",
  channelId: "c1",
  parentId: null,
  replyToId: "m1",
  content: "Hello",
  files: [{ type: "file", id: "f1", name: "map.png", content_type: "image/png", size: 3 }],
  createdAt: now - 1000,
  status: "waiting",
};

test("what was on its way goes on, what was refused stays refused, each person's apart", () => {
  writeOutbox("ada", [outgoing, { ...outgoing, tempId: "t2", status: "failed" }]);
  expect(readOutbox("ada", now)).toEqual([
    { ...outgoing, status: "sending" },
    { ...outgoing, tempId: "t2", status: "failed" },
  ]);
  expect(readOutbox("bo", now)).toEqual([]);
  writeOutbox("ada", []);
  expect(storage.size).toBe(0);
});

test("what is a week old, broken or no message at all is left out", () => {
  writeOutbox("ada", [{ ...outgoing, createdAt: now - 8 * 86_400_000 }, outgoing]);
  expect(readOutbox("ada", now)).toHaveLength(1);
  for (const stored of ["", "{", "null", "3", '[null, 1, {}, {"tempId": "t", "channelId": 4}]']) {
    storage.set("parley:outbox:ada", stored);
    expect(readOutbox("ada", now)).toEqual([]);
  }
});
