import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contextWith } from "../../src/context.ts";
import type { AppError } from "../../src/errors.ts";
import { pluginError } from "../../src/plugins/failure.ts";
import { openPlugin } from "../../src/plugins/open-plugin.ts";
import type { PluginCall, PluginFailure } from "../../src/plugins/plugin-host.ts";
import { selectPluginIndex } from "../../src/plugins/plugin-index.ts";
import { loadUserValves } from "../../src/plugins/user-valves.ts";
import { contextFor } from "../models/context-for.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { adderTools, politeFilter } from "./sources.ts";

let world: World;
let admin: Person;
let user: Person;

beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
  user = await world.person();
  for (const [family, id, content] of [
    ["functions", "polite", politeFilter],
    ["functions", "silent", politeFilter],
    ["tools", "adder", adderTools],
  ])
    await world.call(`/api/v1/${family}/create`, { as: admin, json: { id, name: id, content } });
  await world.call("/api/v1/functions/id/polite/toggle", { as: admin, json: {} });
});
afterAll(() => world.close());

const indexed = async (id: string) => (await selectPluginIndex(world.db)).find((entry) => entry.id === id)!;
const call: Omit<PluginCall, "method" | "args"> = {
  reserved: {},
  capabilities: {
    emit: async () => undefined,
    call: async () => undefined,
    request: async () => undefined,
  },
  signal: new AbortController().signal,
  timeoutMs: 5000,
};

describe("opening a plugin", () => {
  test("costs one round trip where no isolate is warm, and none where one is", async () => {
    const ctx = await contextFor(world, user);
    const entry = await indexed("polite");
    await world.call("/api/v1/functions/id/polite/valves/update", { as: admin, json: { word: "kindly" } });
    const session = openPlugin(ctx, { ...entry, fingerprint: (await indexed("polite")).fingerprint });
    const inlet = () => session.call({ ...call, method: "inlet", args: { body: { text: "go" } } });
    world.roundTrips.reset();
    expect(await inlet()).toMatchObject({ ok: true, value: { text: "go", said: "kindly" } });
    expect(world.roundTrips.count).toBe(1);
    expect(await inlet()).toMatchObject({ ok: true });
    expect(world.roundTrips.count).toBe(1);
    session.close();
  });

  test("is refused while it, functions or all plugins are switched off", async () => {
    const ctx = await contextFor(world, user);
    const open = (entry: Parameters<typeof openPlugin>[1], settings = {}) => {
      try {
        openPlugin(contextWith(ctx, { settings: { ...ctx.settings, ...settings } }), entry).close();
        return "open";
      } catch (error) {
        return (error as AppError).code;
      }
    };
    const [on, off, tool] = [await indexed("polite"), await indexed("silent"), await indexed("adder")];
    expect([open(on), open(off), open(tool)]).toEqual(["open", "plugins_disabled", "open"]);
    expect([open(on, { SAFE_MODE: true }), open(tool, { SAFE_MODE: true })]).toEqual(["plugins_disabled", "open"]);
    expect([open(on, { ENABLE_PLUGINS: false }), open(tool, { ENABLE_PLUGINS: false })]).toEqual([
      "plugins_disabled",
      "plugins_disabled",
    ]);
  });

  test("of one that was deleted meanwhile fails as a value", async () => {
    await world.call("/api/v1/tools/create", { as: admin, json: { id: "gone", name: "Gone", content: adderTools } });
    const entry = await indexed("gone");
    await world.call("/api/v1/tools/id/gone/delete", { method: "DELETE", as: admin });
    const session = openPlugin(await contextFor(world, user), entry);
    expect(await session.call({ ...call, method: "fail", args: {} })).toMatchObject({
      ok: false,
      error: { code: "unavailable" },
    });
  });
});

test("own values come with the defaults of what was not set, in one round trip", async () => {
  const ctx = await contextFor(world, user);
  await world.call("/api/v1/functions/id/polite/valves/user/update", { as: user, json: { tone: "cool" } });
  world.roundTrips.reset();
  const valves = await loadUserValves(ctx, "function", ["polite", "silent", "unknown"]);
  expect(world.roundTrips.count).toBe(1);
  expect(Object.fromEntries(valves)).toEqual({
    polite: { tone: "cool", loud: false },
    silent: { tone: "warm", loud: false },
  });
  expect((await loadUserValves(ctx, "function", [])).size).toBe(0);
  expect(world.roundTrips.count).toBe(1);
  expect((await loadUserValves(await contextFor(world, admin), "function", ["polite"])).get("polite")).toEqual({
    tone: "warm",
    loud: false,
  });
});

describe("what went wrong in a plugin", () => {
  const failure = (code: PluginFailure["code"], more: Partial<PluginFailure> = {}): [string, number, string] => {
    const error = pluginError({ code, message: "too hot", ...more }, "Weather");
    return [error.code, error.status, error.message];
  };

  test("is said in its own words, or by the service", () => {
    expect(failure("threw")).toEqual(["plugin_failed", 400, "too hot"]);
    expect(failure("threw", { message: "" })).toEqual(["plugin_failed", 400, "Weather failed"]);
    expect(failure("threw", { package: "numpy" })).toEqual(["plugin_package_missing", 400, "too hot"]);
    expect(failure("timeout")).toEqual(["plugin_timeout", 504, "Weather: too hot"]);
    expect(failure("stopped")).toEqual(["plugin_stopped", 502, "Weather: too hot"]);
    expect(failure("unavailable").slice(0, 2)).toEqual(["plugin_unavailable", 503]);
    expect(pluginError({ code: "paused", message: "wait", retryAfter: 9 }, "W")).toMatchObject({
      code: "plugin_unavailable",
      retryAfter: 9,
    });
  });

  test.each([
    [403, "forbidden", 403],
    [404, "not_found", 404],
    [429, "too_many_requests", 429],
    [401, "plugin_failed", 400],
    [418, "plugin_failed", 400],
    [500, "plugin_failed", 400],
  ])("keeps the status %i where there is one like it", (status, code, answered) => {
    expect(failure("threw", { status })).toEqual([code, answered, "too hot"]);
  });
});
