import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../src/context.ts";
import type { Attachment } from "../../../src/plugins/tool.ts";
import { createWorld, type World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";
import { added, ask as askAs, type Asked } from "./ask.ts";
import type { ScriptedRound } from "./scripted-model.ts";
import { attach, recordedTurn, say, tool } from "./tool-turn.ts";

let world: World;
let ctx: Context;
beforeAll(async () => {
  world = await createWorld();
  ctx = contextFor(world, await world.person(), { TOOL_CALL_TURNS: 3, TOOL_RESULT_LIMIT: 1000 });
});
afterAll(() => world.close());

const ask = (rounds: ScriptedRound[], attachment: Attachment, asked?: Asked) => askAs(ctx, rounds, attachment, asked);

const weather = tool("weather", ({ city }) => say(`sunny in ${String(city)}`), {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
});

describe.each([true, false])("an answer with tools (stream: %s)", (stream) => {
  it("makes the calls of the model and gives one answer", async () => {
    const attachment = attach(weather);
    const { reply, asked, checked, value, turn, deltas } = await ask(
      [
        {
          content: "Let me look.",
          reasoning: "Weather?",
          calls: [
            { id: "call_first", name: "weather", args: { city: "Oslo" } },
            { id: "call_second", name: "weather", args: { city: "Rome" } },
          ],
        },
        { content: "Sunny in both.", reasoning: "Done." },
      ],
      attachment,
      { stream },
    );
    expect(reply).toMatchObject({
      content: "Let me look.\n\nSunny in both.",
      reasoning: "Weather?\n\nDone.",
      toolCalls: [],
      finishReason: "stop",
      error: undefined,
    });
    expect(deltas.map(({ content = "" }) => content).join("")).toBe(reply.content);
    expect(JSON.stringify(checked ?? value)).not.toContain("tool_calls");
    expect(asked[0]!["tools"]).toEqual([{ type: "function", function: weather.spec }]);
    expect(added(asked[1])).toEqual([
      {
        role: "assistant",
        content: "Let me look.",
        reasoning_content: "Weather?",
        tool_calls: [
          { id: "call_first", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
          { id: "call_second", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_first", content: "sunny in Oslo" },
      { role: "tool", tool_call_id: "call_second", content: "sunny in Rome" },
    ]);
    expect(turn.items.filter(({ state }) => state === "done")).toMatchObject([
      { call_id: "call_first", result: "sunny in Oslo", at: 12, round: 0, title: "Weather" },
      { call_id: "call_second", result: "sunny in Rome", at: 12, round: 0 },
    ]);
    expect(turn.items.slice(0, 2).map(({ state }) => state)).toEqual(["running", "running"]);
    expect(attachment.closed).toBe(1);
  });

  it("leaves an answer without calls as it is", async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const { reply, asked, turn } = await ask([{ content: "Hi", finish: "length", usage }], attach(weather), { stream });
    expect(reply).toMatchObject({ content: "Hi", finishReason: "length", usage });
    expect(asked).toHaveLength(1);
    expect(turn.items).toEqual([]);
  });

  it("makes calls at the same time", async () => {
    let inside = 0;
    let most = 0;
    const both = Promise.withResolvers<void>();
    const slow = tool("slow", async () => {
      inside += 1;
      most = Math.max(most, inside);
      if (inside === 3) both.resolve();
      await both.promise;
      return say("ok");
    });
    const calls = [1, 2, 3].map((n) => ({ id: `call_number_${n}x`, name: "slow" }));
    const { reply } = await ask([{ calls }, { content: "Done" }], attach(slow), { stream });
    expect(most).toBe(3);
    expect(reply.content).toBe("Done");
  });

  it.each([
    ["reasoning_content", { reasoning_content: "Weather?" }],
    ["reasoning", { reasoning: "Weather?" }],
    ["tags", {}],
    ["parts", {}],
  ] as const)("gives a provider that has its thoughts in %s back what it knows", async (reasoningIn, told) => {
    const first = {
      content: "I look.",
      reasoning: "Weather?",
      reasoningIn,
      calls: [{ name: "weather", args: { city: "A" } }],
    };
    const { asked, reply } = await ask([first, { content: "Done", reasoning: "So.", reasoningIn }], attach(weather), {
      stream,
    });
    expect(reply).toMatchObject({ content: "I look.\n\nDone", reasoning: "Weather?\n\nSo." });
    const [said] = added(asked[1]);
    expect(said).toEqual({ role: "assistant", content: "I look.", tool_calls: expect.any(Array), ...told });
  });

  it("gives calls without ids, or with ids that were there before, ids of their own", async () => {
    const calls = [
      { name: "weather", args: { city: "A" } },
      { id: "call_0", name: "weather", args: { city: "B" } },
      { id: "same_id_again", name: "weather", args: { city: "C" } },
    ];
    const { asked, turn } = await ask([{ calls }, { calls: [calls[2]!] }, { content: "Done" }], attach(weather), {
      stream,
    });
    const messages = added(asked[2]);
    const made = messages.flatMap((message) => (message["tool_calls"] ?? []) as { id: string }[]).map(({ id }) => id);
    expect(made).toHaveLength(4);
    expect(new Set(made).size).toBe(4);
    expect(made[2]).toBe("same_id_again");
    for (const id of [made[0]!, made[1]!, made[3]!]) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    const results = messages.filter(({ role }) => role === "tool");
    expect(results.map((message) => message["tool_call_id"])).toEqual(made);
    expect(results.map(({ content }) => content)).toEqual(["A", "B", "C", "C"].map((city) => `sunny in ${city}`));
    expect(new Set(turn.items.map((item) => item.call_id))).toEqual(new Set(made));
  });

  it.each([
    ["an unknown name", { name: "nothing", args: {} }, /^Error: There is no tool "nothing"\. There are: weather$/],
    ["no name, which can mean the only tool alone", { args: {} }, /^Error: Invalid arguments: .*"city"/],
    ["broken JSON", { name: "weather", args: '{"city": "Os' }, /^Error: The arguments are not valid JSON: /],
    ["no object", { name: "weather", args: '["Oslo"]' }, /^Error: The arguments must be a JSON object$/],
    ["a missing argument", { name: "weather", args: "" }, /^Error: Invalid arguments: .*"city"/],
    ["a wrong type", { name: "weather", args: { city: 5 } }, /^Error: Invalid arguments: city: .*"string"/],
  ])("tells the model of %s", async (_, call, told) => {
    const { asked, reply, turn } = await ask([{ calls: [call] }, { content: "Sorry" }], attach(weather), { stream });
    expect(added(asked[1]).at(-1)).toMatchObject({ role: "tool", content: expect.stringMatching(told) });
    expect(reply.content).toBe("Sorry");
    expect(turn.items.at(-1)).toMatchObject({
      state: "error",
      error: expect.any(String),
      ended_at: expect.any(Number),
    });
  });

  it.each([
    ["fails", () => ({ ok: false as const, message: "No such city" }), "Error: No such city"],
    [
      "throws",
      () => {
        throw new Error("secret");
      },
      "Error: The tool failed",
    ],
    ["says nothing", () => say(""), "(The tool returned no result)"],
  ])("tells the model when a tool %s", async (_, call, told) => {
    const { asked, reply } = await ask(
      [{ calls: [{ name: "broken" }] }, { content: "Sorry" }],
      attach(tool("broken", call)),
      { stream },
    );
    expect(added(asked[1]).at(-1)).toMatchObject({ content: told });
    expect(reply).toMatchObject({ content: "Sorry", error: undefined });
  });

  it("cuts a long result and keeps the whole as a file", async () => {
    const long = `${"x".repeat(999)}😀${"y".repeat(500)}`;
    const big = tool("big", () => say(long));
    const { asked, turn } = await ask(
      [{ calls: [{ id: "call_of_big", name: "big" }] }, { content: "!" }],
      attach(big),
      {
        stream,
      },
    );
    const told = String(added(asked[1]).at(-1)!["content"]);
    // The limit lies within the picture, which must not be halved.
    expect(told.startsWith(`${"x".repeat(999)}\n\n[Truncated: these are the first 1000 of 1501 characters.`)).toBe(
      true,
    );
    expect(turn.kept.get("call_of_big")).toBe(long);
    expect(turn.items.at(-1)).toMatchObject({ result: told, is_cut: true, file: { id: "file-call_of_big" } });
    const elsewhere = await ask([{ calls: [{ name: "big" }] }, { content: "!" }], attach(big), {
      stream,
      turn: recordedTurn(false),
    });
    expect(String(added(elsewhere.asked[1]).at(-1)!["content"])).toMatch(/of 1501 characters\.\]$/);
  });

  it("asks without tools after so many rounds, and makes no more calls", async () => {
    let made = 0;
    const again = tool("again", () => say(`made ${++made}`));
    const { asked, reply } = await ask([{ calls: [{ name: "again" }], content: "Once more" }], attach(again), {
      stream,
      body: { tool_choice: "required", parallel_tool_calls: false },
    });
    expect(made).toBe(3);
    expect(asked).toHaveLength(4);
    expect(asked.map((body) => body["tools"] !== undefined)).toEqual([true, true, true, false]);
    expect(asked.map((body) => body["tool_choice"])).toEqual(["required", undefined, undefined, undefined]);
    expect(asked.map((body) => body["parallel_tool_calls"])).toEqual([false, false, false, undefined]);
    expect(reply).toMatchObject({
      finishReason: "stop",
      toolCalls: [],
      content: Array(4).fill("Once more").join("\n\n"),
    });
  });

  it.each([{ tools: [] }, { tools: [{ type: "function", function: { name: "mine" } }] }, { functions: [] }])(
    "leaves tools of the caller alone: %j",
    async (body) => {
      const attachment = attach(weather);
      const { asked, reply } = await ask([{ calls: [{ id: "c", name: "mine" }] }], attachment, { stream, body });
      expect(asked).toHaveLength(1);
      expect(asked[0]).toMatchObject(body);
      expect(reply.toolCalls).toMatchObject([{ id: "c", function: { name: "mine" } }]);
      expect(reply.finishReason).toBe("tool_calls");
      expect(attachment.closed).toBe(1);
    },
  );

  it("gives the model its own words back, and no others", async () => {
    const delta = { content: "Hm", annotations: [], refusal: null, reasoning_details: [{ type: "t", data: "x" }] };
    const call = {
      index: 0,
      id: "call_abcdef",
      function: { name: "weather", arguments: "{}" },
      extra_content: { s: 1 },
    };
    const chunk = { choices: [{ index: 0, delta: { ...delta, tool_calls: [call] }, finish_reason: "tool_calls" }] };
    const whole = { choices: [{ message: { ...delta, tool_calls: [call] }, finish_reason: "tool_calls" }] };
    const response = () =>
      stream
        ? new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
            headers: { "content-type": "text/event-stream" },
          })
        : Response.json(whole);
    const { asked } = await ask([{ response }, { content: "Done" }], attach(weather), { stream });
    expect(added(asked[1])[0]).toEqual({
      role: "assistant",
      content: "Hm",
      reasoning_details: [{ type: "t", data: "x" }],
      tool_calls: [
        {
          id: "call_abcdef",
          type: "function",
          function: { name: "weather", arguments: "{}" },
          extra_content: { s: 1 },
        },
      ],
    });
  });

  it("counts what all calls of the model took", async () => {
    const usage = (prompt: number, completion: number) => ({
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    });
    const body = stream ? { stream_options: { include_usage: true } } : {};
    const { reply, checked, value } = await ask(
      [
        { calls: [{ name: "weather", args: { city: "Oslo" } }], usage: usage(10, 5) },
        { content: "Sunny", usage: usage(20, 7) },
      ],
      attach(weather),
      { stream, body },
    );
    const sum = { ...usage(20, 7), input_tokens: 30, output_tokens: 12, total_tokens: 42 };
    expect(reply.usage).toEqual(sum);
    expect(checked?.usage ?? value?.["usage"]).toEqual(sum);
  });

  it("says sources in the answer only where no message keeps them", async () => {
    const source = { source: { name: "weather" }, document: ["sunny"], metadata: [{}] };
    const quoting = tool("quoting", () => ({ ok: true, content: "x", sources: [source], files: [{ type: "file" }] }));
    const rounds = [{ calls: [{ name: "quoting" }] }, { content: "Done" }];
    const stored = await ask(rounds, attach(quoting), { stream });
    expect(stored.turn.emitted).toEqual([
      { type: "source", data: source },
      { type: "files", data: { files: [{ type: "file" }] } },
    ]);
    expect(stored.reply.extra).toEqual({});
    const plain = await ask(rounds, attach(quoting), { stream, turn: recordedTurn(false) });
    expect(plain.reply.extra).toEqual({ sources: [source] });
  });

  it("keeps no more of a name that a model made up than names have", async () => {
    const { turn } = await ask([{ calls: [{ name: "x".repeat(100_000) }] }, { content: "Done" }], attach(weather), {
      stream,
    });
    expect(turn.items.map(({ name, title }) => [name.length, title.length])).toEqual([
      [64, 64],
      [64, 64],
    ]);
  });

  it("keeps the files of all its calls, and pictures outside the message", async () => {
    const picture = { type: "image", url: "data:image/png;base64,iVBORw==" };
    const drawing = tool("drawing", ({ at }) => ({ ok: true, content: "x", files: [at === 2 ? picture : { at }] }));
    const rounds = [
      {
        calls: [
          { name: "drawing", args: { at: 0 } },
          { name: "drawing", args: { at: 1 } },
        ],
      },
      { calls: [{ name: "drawing", args: { at: 2 } }] },
      { content: "Done" },
    ];
    const turn = recordedTurn();
    const asked: unknown[] = [];
    turn.capabilities.request = async (...request) => {
      asked.push(request);
      return { id: "f", url: "/api/v1/files/f/content", meta: { size: 4 } };
    };
    await ask(rounds, attach(drawing), { stream, turn });
    expect(asked).toEqual([["file.create", { name: "picture.png", content_type: "image/png", base64: "iVBORw==" }]]);
    const kept = {
      type: "image",
      id: "f",
      url: "/api/v1/files/f/content",
      name: "picture.png",
      content_type: "image/png",
    };
    expect(turn.emitted.at(-1)).toEqual({
      type: "files",
      data: { files: [{ at: 0 }, { at: 1 }, { ...kept, size: 4 }] },
    });
  });

  it("says a failure of a later round as one of the first", async () => {
    const failing: ScriptedRound = {
      response: () => Response.json({ error: { message: "Slow down", code: "rate_limit" } }, { status: 429 }),
    };
    const first = ask([failing], attach(weather), { stream });
    await expect(first).rejects.toMatchObject({ status: 429, code: "rate_limit", message: "Slow down" });
    const later = ask([{ content: "Hm", calls: [{ name: "weather" }] }, failing], attach(weather), { stream });
    const outcome = await later.then(
      ({ checked, reply }) => ({ ...checked!.error, said: reply.content, finish: reply.finishReason }),
      ({ code, status, message }: Record<string, unknown>) => ({ code, status, message }),
    );
    const said = stream ? { said: "Hm", finish: null } : {};
    expect(outcome).toMatchObject({ code: "rate_limit", status: 429, message: "Slow down", ...said });
  });

  it("refuses several choices", async () => {
    const attachment = attach(weather);
    await expect(ask([{}], attachment, { stream, body: { n: 2 } })).rejects.toMatchObject({
      code: "validation_failed",
      param: "n",
    });
    expect(attachment.closed).toBe(1);
  });
});
