import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attachTools } from "../../../src/chat/tools/attach-tools.ts";
import { type Context, contextWith } from "../../../src/context.ts";
import type { PluginFailure, PluginHost, ToolSpec } from "../../../src/plugins/plugin-host.ts";
import { plugins } from "../../../src/plugins/tables.ts";
import type { ToolScope } from "../../../src/plugins/tool.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";

let world: World;
let ada: Person;
let ctx: Context;
const spec = (name: string): ToolSpec => ({ name, description: "", parameters: { type: "object", properties: {} } });

beforeAll(async () => {
  world = await createWorld();
  ada = await world.person();
  ctx = contextFor(world, ada);
  await store("one", [spec("get"), spec("put")]);
  await store("two", [spec("get")]);
  await store(
    "many",
    Array.from({ length: 200 }, (_, at) => spec(`tool_${at}`)),
  );
  await store("stranger", [spec("get")], (await world.person()).id);
});
afterAll(() => world.close());

async function store(id: string, specs: ToolSpec[], userId = ada.id): Promise<void> {
  const info = {
    type: "tools" as const,
    language: "javascript" as const,
    manifest: {},
    hooks: [],
    specs,
    valvesSchema: null,
    userValvesSchema: null,
    valveDefaults: {},
    toggle: false,
    icon: null,
    fileHandler: false,
    pipes: null,
    namePrefix: "",
    actions: [],
  };
  await world.db.insert(plugins).values({
    family: "tool",
    id,
    userId,
    organizationId: null,
    name: `Plugin ${id}`,
    type: "tools",
    language: "javascript",
    source: "",
    code: "",
    version: 1,
    meta: {},
    info,
    hosts: [],
    fingerprint: id,
    createdAt: 0,
    updatedAt: 0,
  });
}

const attach = (toolIds: string[] | undefined, modelToolIds: string[] = [], as = ctx) =>
  attachTools(as, { toolIds, modelToolIds, builtIn: [] }, { reserved: { __user__: { id: ada.id } } });

describe("tools of a turn", () => {
  it("are those of the plugins that are named, each under a name of its own", async () => {
    const { tools, notes } = await attach(["one", "two", "one"]);
    expect(tools.map(({ spec: { name }, source }) => [name, source.id])).toEqual([
      ["get", "one"],
      ["put", "one"],
      ["two_get", "two"],
    ]);
    expect(notes).toEqual([]);
  });

  it("leave out what is not there for the person, the same way whether it exists or not", async () => {
    const { tools, notes } = await attach(["stranger", "one", "unknown"]);
    expect(tools).toHaveLength(2);
    expect(notes.map((note) => note.replace(/"[^"]*"/, "?"))).toEqual([
      notes[0]!.replace('"stranger"', "?"),
      notes[0]!.replace('"stranger"', "?"),
    ]);
  });

  it("are the model's where the request says nothing, and then nobody is told what is not for them", async () => {
    expect(await attach(undefined, ["one", "stranger"])).toMatchObject({ tools: [{}, {}], notes: [] });
    expect(await attach([], ["one"])).toMatchObject({ tools: [], notes: [] });
  });

  it("are not more than providers take", async () => {
    const { tools, notes } = await attach(["many", "one"]);
    expect(tools).toHaveLength(128);
    expect(notes).toEqual(["Only the first 128 of 202 tools are offered to the model."]);
    const ids = await attach(Array.from({ length: 150 }, (_, at) => `id${at}`));
    expect(ids.notes.at(-1)).toBe("Only the first 100 of 150 selected tools are used.");
  });

  it("are none where plugins are switched off", async () => {
    const off = contextFor(world, ada, { ENABLE_PLUGINS: false });
    expect(await attach(["one"], [], off)).toMatchObject({
      tools: [],
      notes: ["Plugins are switched off, so their tools are left out."],
    });
  });
});

describe("a plugin that cannot do it", () => {
  const scope: ToolScope = {
    callId: "c",
    chatId: undefined,
    messageId: undefined,
    sessionId: undefined,
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    capabilities: {
      emit: () => Promise.resolve(),
      call: () => Promise.reject(new Error("nobody")),
      request: () => Promise.reject(new Error("nothing")),
    },
    capabilitiesOf: () => scope.capabilities,
    signal: new AbortController().signal,
  };

  async function callWith(host: Partial<ReturnType<PluginHost["open"]>>, closed: string[] = []) {
    const plugins: PluginHost = {
      describe: ctx.plugins.describe,
      open: ({ plugin }) => ({
        call: () => Promise.resolve({ ok: true, value: "fine", streamed: false, logs: [] }),
        close: () => void closed.push(plugin),
        ...host,
      }),
    };
    const { tools, close } = await attach(["one"], [], contextWith(ctx, { plugins }));
    const outcome = await tools[0]!.call({}, scope);
    close();
    return outcome;
  }

  it.each<[PluginFailure, string]>([
    [{ code: "threw", message: "No such city" }, "No such city"],
    [{ code: "threw", message: "" }, "The tool failed"],
    [{ code: "timeout", message: "took too long" }, "Plugin one: took too long"],
    [{ code: "stopped", message: "was stopped" }, "Plugin one: was stopped"],
    [{ code: "paused", message: "rests", retryAfter: 5 }, "Plugin one: rests"],
    [{ code: "unavailable", message: "is not there" }, "Plugin one: is not there"],
    [{ code: "output", message: "says too much" }, "Plugin one: says too much"],
  ])("is told to the model: %j", async (error, message) => {
    const outcome = await callWith({ call: () => Promise.resolve({ ok: false, error, logs: [] }) });
    expect(outcome).toEqual({ ok: false, message });
  });

  it("is ended when it goes on and on", async () => {
    const outcome = await callWith({
      async call({ onChunk, signal }) {
        while (!signal.aborted) await onChunk!("x".repeat(1_000_000));
        return { ok: false, error: { code: "aborted", message: "" }, logs: [] };
      },
    });
    expect(outcome).toEqual({ ok: false, message: "Plugin one returned more data than the limit" });
  });

  it("is told of the turn, and let go of with it", async () => {
    const closed: string[] = [];
    let reserved: Record<string, unknown> = {};
    await callWith(
      {
        call: (call) => {
          ({ reserved } = call);
          return Promise.resolve({ ok: true, value: "fine", streamed: false, logs: [] });
        },
      },
      closed,
    );
    expect(reserved).toEqual({ __user__: { id: ada.id }, __id__: "one", __messages__: scope.messages });
    expect(closed).toEqual(["tool/one"]);
  });
});
