import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMessagesConverter } from "../../../src/chat/messages-api/messages-converter.ts";
import { createStopWatch } from "../../../src/chat/messages-api/stop-watch.ts";
import { checkMessages, type CheckedMessage } from "../../grammar/messages.ts";

type Delta = Record<string, unknown>;

const asked = { model: "asked", sequences: [] as string[], showsThinking: true, inputTokens: 7, requestId: "r1" };

/** What comes of these deltas of one answer. */
function told(
  deltas: readonly Delta[],
  more: Partial<typeof asked> & { finish?: string; usage?: object } = {},
): CheckedMessage {
  const { finish = "stop", usage, ...options } = more;
  const converter = createMessagesConverter({ ...asked, ...options });
  let out = converter.start();
  for (const delta of deltas) {
    out += converter.chunk({ choices: [{ index: 0, delta, finish_reason: null }] });
    if (converter.isOver?.()) break;
  }
  if (!converter.isOver?.()) {
    out += converter.chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    if (usage) out += converter.chunk({ choices: [], usage });
  }
  return checkMessages(new TextEncoder().encode(out + converter.end()));
}

const call = (index: number, piece: string, more: Delta = {}): Delta => ({
  tool_calls: [{ index, ...more, function: { ...(more["id"] ? { name: `tool_${index}` } : {}), arguments: piece } }],
});
const shown = ({ blocks }: CheckedMessage) =>
  blocks.map(({ type, text, thinking, json, name }) => [type, name ?? "", text + thinking + json]);

describe("blocks", () => {
  test("of calls whose pieces come mixed stand one after another", () => {
    const deltas = [
      { content: "I look." },
      call(0, "", { id: "a" }),
      call(1, "", { id: "b" }),
      call(0, '{"city":'),
      call(1, '{"zone":"'),
      call(0, '"Ur}"}'),
      { content: "And then?" },
      call(1, 'UTC"}'),
    ];
    expect(shown(told(deltas, { finish: "tool_calls" }))).toEqual([
      ["text", "", "I look."],
      ["tool_use", "tool_0", '{"city":"Ur}"}'],
      ["tool_use", "tool_1", '{"zone":"UTC"}'],
      ["text", "", "And then?"],
    ]);
  });

  test("of text after a call are not lost, and change with the kind", () => {
    const deltas = [
      { reasoning_content: "Hm" },
      { content: "" },
      { reasoning_content: "m." },
      { content: "Yes" },
      { reasoning_content: "Or?" },
      call(0, "{}", { id: "a" }),
      { content: "Done." },
    ];
    expect(shown(told(deltas, { finish: "tool_calls" }))).toEqual([
      ["thinking", "", "Hmm."],
      ["text", "", "Yes"],
      ["thinking", "", "Or?"],
      ["tool_use", "tool_0", "{}"],
      ["text", "", "Done."],
    ]);
  });

  test("of nothing but white space are left out; before words it stays", () => {
    const deltas = [
      { reasoning_content: "\n\n" },
      { content: "\n" },
      { content: "  indented" },
      call(0, "{}", { id: "a" }),
      { content: "\n\n" },
    ];
    expect(shown(told(deltas, { finish: "tool_calls" }))).toEqual([
      ["text", "", "\n  indented"],
      ["tool_use", "tool_0", "{}"],
    ]);
  });

  test("of calls have ids that the dialect allows, each once", () => {
    const ids = [{ id: "functions.a:0" }, { id: "same" }, { id: "same" }, { id: "" }];
    const deltas = ids.map((more, at) => ({
      tool_calls: [{ index: at, ...more, function: { name: `tool_${at}`, arguments: "{}" } }],
    }));
    const made = told(deltas, { finish: "tool_calls" }).blocks.map(({ id }) => id!);
    expect(made.slice(0, 2)).toEqual(["functions_a_0", "same"]);
    expect(new Set(made).size).toBe(4);
    expect(made.every((id) => /^[\w-]+$/.test(id))).toBe(true);
  });

  test("of thoughts keep the provider's mark, and are hidden where they are not wanted", () => {
    const deltas = [
      { reasoning_content: "Hm" },
      { thinking_blocks: [{ type: "thinking", thinking: "Hm", signature: "c2ln" }] },
      { reasoning_content: "So" },
      { thinking_blocks: [{ type: "thinking", thinking: "So", signature: "bmV4dA" }] },
      { thinking_blocks: [{ type: "redacted_thinking", data: "eA" }] },
      { content: "Yes" },
    ];
    const { blocks } = told(deltas);
    expect(blocks.map(({ type, thinking, signature }) => [type, thinking, signature])).toEqual([
      ["thinking", "Hm", "c2ln"],
      ["thinking", "So", "bmV4dA"],
      ["redacted_thinking", "", ""],
      ["text", "", ""],
    ]);
    expect(told(deltas, { showsThinking: false }).blocks.map(({ type }) => type)).toEqual(["text"]);
  });

  test("of whatever comes keep the grammar, and nothing of it is lost", () => {
    const piece = fc.oneof(
      fc.record({ kind: fc.constant("text" as const), text: fc.string() }),
      fc.record({ kind: fc.constant("thought" as const), text: fc.string() }),
      fc.record({
        kind: fc.constant("call" as const),
        index: fc.nat(3),
        cut: fc.nat(20),
        input: fc.dictionary(fc.string(), fc.json()),
      }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 30 }), (pieces, order) => {
        const inputs = new Map<number, object>();
        const waiting: { index: number; rest: string }[] = [];
        const deltas: Delta[] = [];
        for (const [at, each] of pieces.entries()) {
          if (each.kind === "text") deltas.push({ content: each.text });
          else if (each.kind === "thought") deltas.push({ reasoning_content: each.text });
          else if (!inputs.has(each.index)) {
            inputs.set(each.index, each.input);
            const text = JSON.stringify(each.input);
            deltas.push(call(each.index, text.slice(0, each.cut), { id: `id_${each.index}` }));
            waiting.push({ index: each.index, rest: text.slice(each.cut) });
          }
          const [late] =
            waiting.length > 0 && order[at] !== undefined ? waiting.splice(order[at]! % waiting.length, 1) : [];
          if (late) deltas.push(call(late.index, late.rest));
        }
        for (const { index, rest } of waiting) deltas.push(call(index, rest));
        const checked = told(deltas, { finish: inputs.size > 0 ? "tool_calls" : "stop" });
        const calls = checked.blocks.filter(({ type }) => type === "tool_use");
        expect(calls.map(({ json }) => JSON.parse(json) as unknown)).toEqual(
          [...inputs.values()].map((input) => JSON.parse(JSON.stringify(input)) as unknown),
        );
        const letters = (texts: string[]) => texts.join("").replaceAll(/\s/g, "");
        const said = (name: string) => letters(deltas.map((delta) => (delta[name] as string | undefined) ?? ""));
        expect(letters(checked.blocks.map(({ text }) => text))).toBe(said("content"));
        expect(letters(checked.blocks.map(({ thinking }) => thinking))).toBe(said("reasoning_content"));
      }),
    );
  });
});

describe("the end", () => {
  test.each([
    ["stop", {}, "end_turn", null],
    ["length", {}, "max_tokens", null],
    ["content_filter", {}, "refusal", null],
    ["something", {}, "end_turn", null],
    ["tool_calls", {}, "end_turn", null],
    ["stop", { stop_reason: "END" }, "stop_sequence", "END"],
    ["stop", { matched_stop: "END" }, "stop_sequence", "END"],
    ["stop", { stop_reason: 151645 }, "end_turn", null],
    ["stop", { native_finish_reason: "pause_turn" }, "pause_turn", null],
    ["length", { native_finish_reason: "model_context_window_exceeded" }, "model_context_window_exceeded", null],
  ])("%s %j is %s", (finish, beside, reason, sequence) => {
    const converter = createMessagesConverter({ ...asked, sequences: ["END"] });
    const out =
      converter.start() +
      converter.chunk({ choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: finish, ...beside }] }) +
      converter.end();
    const checked = checkMessages(new TextEncoder().encode(out));
    expect([checked.stopReason, checked.stopSequence]).toEqual([reason, sequence]);
  });

  test("has the provider's tokens, cached ones apart, or an estimate", () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 4 },
    };
    expect(told([{ content: "Hi" }], { usage }).usage).toMatchObject({
      input_tokens: 30,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
    });
    const flat = {
      prompt_tokens: 100,
      completion_tokens: 9,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
    };
    for (const said of [flat, { ...flat, prompt_tokens_details: { cached_tokens: 60 } }])
      expect(told([{ content: "Hi" }], { usage: said }).usage).toMatchObject({
        input_tokens: 30,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 10,
      });
    const estimated = told([{ content: "Twelve words" }]);
    expect(estimated.start).toMatchObject({ usage: { input_tokens: 7, output_tokens: 0 } });
    expect(estimated.usage).toMatchObject({ input_tokens: 7, output_tokens: 3 });
  });

  test("comes at once where a stop sequence is met, wherever it is cut", () => {
    const { blocks, stopReason, stopSequence } = told(
      [{ content: "One, tw" }, { content: "o, thr" }, { content: "ee, four" }, { content: ", five" }],
      { sequences: [", four", ", three"] },
    );
    expect([blocks[0]!.text, stopReason, stopSequence]).toEqual(["One, two", "stop_sequence", ", three"]);
  });

  test("is an error where calls come all at once and without an end", () => {
    const deltas = Array.from({ length: 12 }, (_, at) =>
      call(at, `{"a":"${"x".repeat(1_000_000)}`, { id: `id_${at}` }),
    );
    expect(told(deltas).error).toMatchObject({ type: "api_error" });
  });

  test("may be an error of the provider, in the dialect's words", () => {
    const converter = createMessagesConverter(asked);
    const failure = { message: "Too much to do", type: "server_error", param: null, code: null, status: 529 };
    const out = converter.start() + converter.idle() + converter.error(failure);
    const checked = checkMessages(new TextEncoder().encode(out));
    expect(checked).toMatchObject({ pings: 1, error: { type: "overloaded_error", message: "Too much to do" } });
  });
});

test("what is looked for in pieces is found where it is found in the whole", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  const sequences = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 }), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(fc.array(letters), sequences, (pieces, wanted) => {
      const watch = createStopWatch(wanted);
      const said = pieces.map((piece) => watch.push(piece)).join("") + watch.flush();
      const text = pieces.join("");
      const met = watch.met();
      // The one that is whole first counts: nobody waits for a longer one that began before it.
      expect(met !== undefined).toBe(wanted.some((each) => text.includes(each)));
      expect(met === undefined || wanted.includes(met)).toBe(true);
      expect(met === undefined ? said === text : text.startsWith(said + met)).toBe(true);
      expect(wanted.some((each) => said.includes(each))).toBe(false);
    }),
  );
});
