import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type Person, type World } from "../world.ts";
import { counts, startFakeRuntime, words, type FakeRuntime } from "./fake-runtime.ts";

let runtime: FakeRuntime;
let world: World;
let ada: Person;
beforeEach(async () => {
  runtime = await startFakeRuntime(["tiny:latest", "big:70b"]);
  world = await createWorld({ environment: { LOCALMODEL_BASE_URLS: runtime.origin } });
  ada = await world.person();
});
afterEach(async () => {
  await world.close();
  await runtime.close();
});

const last = () => runtime.seen.at(-1)!;

describe("what is asked of a model", () => {
  test.each(["/localmodel", "/ollama"])("comes back byte for byte below %s", async (base) => {
    const response = await world.request(`${base}/api/generate`, { as: ada, json: { model: "tiny", prompt: "Hi" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    const text = await response.text();
    const direct = await fetch(`${runtime.origin}/api/generate`, {
      method: "POST",
      body: JSON.stringify({ model: "tiny", prompt: "Hi" }),
    });
    expect(text).toBe(await direct.text());
    expect(text).toContain(JSON.stringify(words[7]).slice(1, -1));
    expect(text).toContain(`"eval_count":${counts.eval_count}`);
  });

  test("reaches the runtime as it was written, unknown fields, odd numbers and blanks included", async () => {
    const body =
      '{ "prompt":"Hi",\n"stream" : false, "model":"tiny", "options":{"seed":12345678901234567890,"x":1.0}, "new":[1e3] }';
    const { status } = await world.call("/localmodel/api/generate?trace=1", { as: ada, method: "POST", body });
    expect(status).toBe(200);
    expect(last().body.toString()).toBe(body);
    expect(last().url).toBe("/api/generate?trace=1");
  });
});
