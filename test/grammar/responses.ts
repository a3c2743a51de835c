import { expect } from "vitest";

type Json = Record<string, unknown>;

/** What a checked stream of the Responses API said. */
export interface CheckedResponse {
  events: Json[];
  /** The response of the last event. */
  response: Json;
  /** The items that were told, in the order of the output. */
  items: Json[];
}

interface Part {
  type: unknown;
  said: string;
  isOpen: boolean;
}

/** An item between its `added` and its `done`. */
interface OpenItem {
  item: Json;
  parts: Part[];
  /** Arguments or input of a call: the pieces, and what `done` says. */
  args: string;
  saidArgs: string | undefined;
}

/** Events of parts: what adds, says and ends them, where their texts stand, and which index names them. */
const partEvents = {
  output_text: { family: "output_text", field: "text", index: "content_index" },
  refusal: { family: "refusal", field: "refusal", index: "content_index" },
  reasoning_text: { family: "reasoning_text", field: "text", index: "content_index" },
  summary_text: { family: "reasoning_summary_text", field: "text", index: "summary_index" },
} as const;
const callFields: Record<string, { family: string; field: string }> = {
  function_call: { family: "function_call_arguments", field: "arguments" },
  custom_tool_call: { family: "custom_tool_call_input", field: "input" },
};
const ends = new Set(["response.completed", "response.incomplete", "response.failed"]);

/**
 * Holds a stream against the grammar of the Responses API, written from its description ("Streaming events") alone: named events whose name
 * stands in the data too, numbered from 0 without a gap; `response.created`, `response.in_progress`; items from `output_item.added` to
 * `output_item.done`, their indices without a gap; parts from `added` to `done` inside of one, their texts the sum of the pieces; at the end one
 * response that holds these items as they were told, and nothing after it. Fails the test where anything is wrong.
 */
export function checkResponses(bytes: Uint8Array): CheckedResponse {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  expect(text.endsWith("\n\n"), "the stream ends with a blank line").toBe(true);
  const events: Json[] = [];
  const open = new Map<number, OpenItem>();
  const items: Json[] = [];
  let added = 0;
  let last: Json | undefined;
  for (const frame of text.slice(0, -2).split("\n\n")) {
    if (/^: [^\n\r]*$/.test(frame)) continue;
    const [, name, data] = /^event: ([\w.]+)\ndata: ([^\n\r]+)$/.exec(frame) ?? [];
    expect(name, `a named event with one data line: ${frame.slice(0, 200)}`).toBeDefined();
    const event = JSON.parse(data!) as Json;
    expect(last, "nothing follows the end").toBeUndefined();
    expect(event["type"]).toBe(name);
    expect(event["sequence_number"]).toBe(events.length);
    events.push(event);
    if (events.length <= 2) {
      expect(name).toBe(events.length === 1 ? "response.created" : "response.in_progress");
      const response = event["response"] as Json;
      expect(response).toMatchObject({
        object: "response",
        status: "in_progress",
        output: [],
        error: null,
        usage: null,
      });
      continue;
    }
    if (ends.has(name!)) {
      expect(open.size, "every item is done").toBe(0);
      last = event["response"] as Json;
      expect(last["status"]).toBe(name!.slice("response.".length));
      continue;
    }
    const index = event["output_index"] as number;
    if (name === "response.output_item.added") {
      expect(index, "indices without a gap").toBe(added);
      added += 1;
      const item = event["item"] as Json;
      expect(item["status"]).toBe("in_progress");
      open.set(index, { item, parts: [], args: "", saidArgs: undefined });
      continue;
    }
    const here = open.get(index);
    expect(here, `${name} is about an item that is open`).toBeDefined();
    if (name === "response.output_item.done") {
      checkItem(here!, event["item"] as Json);
      items[index] = event["item"] as Json;
      open.delete(index);
      continue;
    }
    expect(event["item_id"]).toBe(here!.item["id"]);
    readItemEvent(name!, event, here!);
  }
  expect(last, "the stream has an end").toBeDefined();
  const [first] = events;
  expect((first!["response"] as Json)["id"]).toBe(last!["id"]);
  expect(last!["output"], "the end says what was told").toEqual(items);
  expect(new Set(items.map(({ id }) => id)).size, "no id twice").toBe(items.length);
  checkEnd(last!);
  return { events, response: last!, items };
}

function readItemEvent(name: string, event: Json, open: OpenItem): void {
  const call = callFields[String(open.item["type"])];
  if (call) {
    if (name === `response.${call.family}.delta`) {
      expect(open.saidArgs, "pieces come before the end").toBeUndefined();
      open.args += event["delta"] as string;
    } else {
      expect(name).toBe(`response.${call.family}.done`);
      expect(event[call.field], "the sum of the pieces").toBe(open.args);
      open.saidArgs = open.args;
    }
    return;
  }
  const partName = /^response\.(content_part|reasoning_summary_part)\.(added|done)$/.exec(name);
  if (partName) {
    const part = event["part"] as Json;
    const kind = partEvents[part["type"] as keyof typeof partEvents];
    expect(kind, `a known part: ${String(part["type"])}`).toBeDefined();
    expect(partName[1]).toBe(part["type"] === "summary_text" ? "reasoning_summary_part" : "content_part");
    if (partName[2] === "added") {
      expect(open.parts.at(-1)?.isOpen ?? false, "one part after the other").toBe(false);
      expect(event[kind.index]).toBe(open.parts.length);
      expect(part[kind.field]).toBe("");
      open.parts.push({ type: part["type"], said: "", isOpen: true });
      return;
    }
    const current = open.parts.at(-1);
    expect(event[kind.index]).toBe(open.parts.length - 1);
    expect(part[kind.field]).toBe(current?.said);
    expect(current?.isOpen).toBe(true);
    current!.isOpen = false;
    return;
  }
  const current = open.parts.at(-1);
  expect(current?.isOpen, `${name} is about a part that is open`).toBe(true);
  const kind = partEvents[current!.type as keyof typeof partEvents];
  expect(event[kind.index]).toBe(open.parts.length - 1);
  if (name === "response.output_text.annotation.added") {
    expect(kind.family).toBe("output_text");
    return;
  }
  if (name === `response.${kind.family}.delta`) current!.said += event["delta"] as string;
  else {
    expect(name).toBe(`response.${kind.family}.done`);
    expect(event[kind.field], "the sum of the pieces").toBe(current!.said);
  }
  if (kind.family === "output_text") expect(Array.isArray(event["logprobs"])).toBe(true);
}

function checkItem({ item, parts, args, saidArgs }: OpenItem, done: Json): void {
  expect(done).toMatchObject({ id: item["id"], type: item["type"] });
  expect(["completed", "incomplete"]).toContain(done["status"]);
  expect(
    parts.every(({ isOpen }) => !isOpen),
    "every part is done",
  ).toBe(true);
  const call = callFields[String(item["type"])];
  if (call) {
    expect(done).toMatchObject({ call_id: item["call_id"], name: item["name"], [call.field]: args });
    expect(String(done["call_id"])).not.toBe("");
    expect(String(done["name"])).not.toBe("");
    expect(saidArgs, "the end of the pieces was told").toBe(args);
    return;
  }
  const told = item["type"] === "reasoning" && done["content"] === undefined ? done["summary"] : done["content"];
  expect((told as Json[]).map((part) => [part["type"], part["text"] ?? part["refusal"]])).toEqual(
    parts.map(({ type, said }) => [type, said]),
  );
}

function checkEnd(response: Json): void {
  const { status, error, incomplete_details: details, usage } = response;
  if (status === "failed") expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  else expect(error).toBeNull();
  if (status === "incomplete") expect(details).toMatchObject({ reason: expect.any(String) });
  else expect(details).toBeNull();
  if (usage === null) return;
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage as Record<string, number>;
  expect(total).toBeGreaterThanOrEqual(Math.max(input!, output!));
  expect(usage).toMatchObject({
    input_tokens_details: { cached_tokens: expect.any(Number) },
    output_tokens_details: { reasoning_tokens: expect.any(Number) },
  });
}
