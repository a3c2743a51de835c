import { afterEach, beforeEach, expect, test } from "vitest";
import type { RuntimeView } from "../../src/local-models/schema.ts";
import { answering, at, startProvider, type Provider } from "../models/provider.ts";
import { createWorld, type World } from "../world.ts";
import { startFakeRuntime, type FakeRuntime } from "./fake-runtime.ts";

let runtime: FakeRuntime;
let plain: Provider;
let world: World;
beforeEach(async () => {
  runtime = await startFakeRuntime(["tiny:latest", "big:70b"]);
  runtime.loaded.add("big:70b");
  // As llama.cpp has it: OpenAI's list alone.
  plain = await startProvider(at("/v1/models", answering(200, '{"data":[{"id":"gguf"},{"id":7},null]}')));
  const urls = [runtime.origin, plain.origin, "http://127.0.0.1:9"].join(";");
  world = await createWorld({ environment: { LOCALMODEL_BASE_URLS: urls } });
});
afterEach(async () => {
  await world.close();
  await Promise.all([runtime.close(), plain.close()]);
});

test("each runtime is there with what it holds and has in memory, those that only list and those that are away too", async () => {
  const { status, body } = await world.call<RuntimeView[]>("/api/v1/local-models", { as: await world.admin() });
  expect(status).toBe(200);
  const [full, lists, away] = body;
  expect(full).toMatchObject({ id: "env-local-0", index: 0, version: "0.12.6", error: null, manages: true });
  expect(full!.models).toMatchObject([
    { name: "tiny:latest", size: 2_019_393_189, modified_at: 1_767_319_445, quantization: "Q4_K_M", loaded: null },
    // The end of time is no time.
    { name: "big:70b", loaded: { size: 2_019_393_189, size_vram: 2_019_393_189, expires_at: null } },
  ]);
  expect(lists).toMatchObject({ index: 1, version: null, error: null, manages: false });
  expect(lists!.models).toMatchObject([{ name: "gguf", size: null, modified_at: null, loaded: null }]);
  expect(away).toMatchObject({ index: 2, models: [], manages: false });
  expect(away!.error).toContain("127.0.0.1:9");
});

test("is told to nobody else", async () => {
  const { status } = await world.call("/api/v1/local-models", { as: await world.person() });
  expect([status, runtime.seen]).toEqual([403, []]);
});
