import { describe, expect, it } from "vitest";
import { filterAnswer } from "../../../src/chat/functions/filter-answer.ts";
import type { FunctionCaller } from "../../../src/chat/functions/function-caller.ts";
import type { Context } from "../../../src/context.ts";
import type { PluginFailureCode, PluginResult } from "../../../src/plugins/plugin-host.ts";
import type { PluginEntry } from "../../../src/plugins/plugin-index.ts";
import { readUpstreamAnswer } from "../../../src/upstream/answers/read-upstream-answer.ts";
import { eventsOf, textOf } from "./events-of.ts";

const filter = { id: "slow", name: "Slow", info: { hooks: ["stream"] } } as unknown as PluginEntry;
const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** An answer of three words through one filter. */
async function through(call: (event: unknown) => PluginResult) {
  const called: unknown[] = [];
  const failed: string[] = [];
  const functions = {
    call: async (_entry: PluginEntry, _method: string, { event }: { event: unknown }) => {
      called.push(event);
      return call(event);
    },
  } as unknown as FunctionCaller;
  const stream = `${chunk("One ")}${chunk("two ")}${chunk("three")}data: [DONE]\n\n`;
  const signal = new AbortController().signal;
  const headers = { "content-type": "text/event-stream" };
  const answer = await readUpstreamAnswer(new Response(stream, { headers }), { model: "m", stream: true, signal });
  const filtered = await filterAnswer(
    { now: () => 0 } as Context,
    answer,
    [filter],
    functions,
    { model: "m", stream: true, signal, includeUsage: false, choices: undefined },
    (_, message) => failed.push(message),
  );
  if (filtered.kind !== "stream") throw new Error("expected a stream");
  const body = await new Response(filtered.body).text();
  return { called, failed, body, reply: await filtered.finished };
}
const fails = (code: PluginFailureCode): PluginResult => ({
  ok: false,
  error: { code, message: "it failed" },
  logs: [],
});

describe("a filter that fails in a stream", () => {
  it.each(["timeout", "stopped", "paused", "unavailable"] as const)(
    "by %s is not called again, nothing passes unseen, and the answer ends whole",
    async (code) => {
      const { called, failed, body, reply } = await through(() => fails(code));
      expect(called).toHaveLength(1);
      expect(failed).toEqual(["it failed"]);
      expect(textOf(body)).toBe("");
      expect(eventsOf(body).at(-1)).toBe("[DONE]");
      expect(reply).toMatchObject({ content: "", finishReason: "stop", error: undefined });
    },
  );

  it.each(["threw", "output"] as const)("by %s costs the event, and is said once", async (code) => {
    const { called, failed, body, reply } = await through((event) =>
      JSON.stringify(event).includes("three") ? { ok: true, value: event, streamed: false, logs: [] } : fails(code),
    );
    expect(called.length).toBeGreaterThan(2);
    expect(failed).toEqual(["it failed"]);
    expect(textOf(body)).toBe("three");
    expect(reply.content).toBe("three");
  });

  it.each([["text"], [5], [[]], [true]])("by giving %j back for an event costs it too", async (value) => {
    const { failed, body } = await through(() => ({ ok: true, value, streamed: false, logs: [] }));
    expect(failed).toEqual([expect.stringContaining("did not return an event")]);
    expect(textOf(body)).toBe("");
  });
});
