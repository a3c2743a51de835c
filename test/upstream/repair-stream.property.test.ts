import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutAt } from "../fixtures/streams/stream-fixtures.ts";
import { checkStream } from "../grammar/chat-completions.ts";
import { concat, encode, repairAll, stream } from "./streams.ts";

type Json = Record<string, unknown>;

/** One thing that an upstream may do, and the text that a reader of its stream should get by it. */
interface Step {
  text: string;
  says?: { index: number; content: string }[];
  finishes?: number[];
  ends?: "done" | "error";
}

const text = fc.string({
  unit: fc.constantFrom("a", " ", '"', "\\", "\n", "\t", "é", "巴", "🗼", "\u2028", "data:", "[DONE]", "\uFEFF"),
});
const index = fc.constantFrom(0, 0, 0, 1, 2);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Only what is defined stands in the object, so that fields are missing as well as null. */
function compact(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const delta = fc
  .record({
    role: maybe(fc.constantFrom("assistant", null, "", "model")),
    content: maybe(fc.oneof(text, fc.constant(null))),
    reasoning_content: maybe(text),
    tool_calls: maybe(fc.constantFrom([], [{ index: 0, id: "c", function: { name: "f", arguments: "" } }])),
  })
  .map(compact);

const choice = fc
  .record({
    index,
    delta,
    finish_reason: maybe(fc.constantFrom(null, null, "", "stop", "length", "tool_calls")),
    logprobs: maybe(fc.constantFrom(null, { content: [] }, { content: [{ token: "a", logprob: -0.1 }] })),
  })
  .map(compact);

const chunk = fc
  .record({
    id: maybe(fc.constantFrom("a", "a", "a", "b", "", null)),
    object: maybe(fc.constantFrom("chat.completion.chunk", "chat.completion")),
    created: maybe(fc.constantFrom(5, 5, 6, 0, "x", null)),
    model: maybe(fc.constantFrom("m", "m", "n", "", null)),
    choices: maybe(
      fc.oneof(
        { weight: 8, arbitrary: fc.array(choice, { minLength: 1, maxLength: 1 }) },
        fc.array(choice, { maxLength: 3 }),
        fc.constant(null),
      ),
    ),
    usage: maybe(fc.constantFrom(null, null, { total_tokens: 1 }, {})),
    citations: maybe(fc.constantFrom([], ["https://a"])),
    error: maybe(fc.constantFrom(null, {})),
  })
  .map(compact);

function framed(document: string, line: string, space: string, several: boolean): string {
  const lines = several ? JSON.stringify(JSON.parse(document), null, 1).split("\n") : [document];
  return lines.map((one) => `data:${space}${one}${line}`).join("") + line;
}

const framing = fc.record({
  line: fc.constantFrom("\n", "\n", "\n", "\r\n", "\r"),
  space: fc.constantFrom(" ", " ", ""),
  several: fc.constantFrom(false, false, false, true),
  before: fc.constantFrom("", "", ": comment\n\n", "event: message\n", "id: 4\nretry: 1\n", "\n"),
});

function chunkStep(value: Json, frame: { line: string; space: string; several: boolean; before: string }): Step {
  const choices = (value["choices"] ?? []) as Json[];
  const says = choices.map((one) => ({
    index: one["index"] as number,
    content: ((one["delta"] as Json)["content"] as string | null | undefined) ?? "",
  }));
  const finishes = choices.filter((one) => one["finish_reason"]).map((one) => one["index"] as number);
  return { text: frame.before + framed(JSON.stringify(value), frame.line, frame.space, frame.several), says, finishes };
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(chunk, framing).map(([value, frame]) => chunkStep(value, frame)) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(": hi\n\n", "data:\n\n", "data: ping\n\n", "\r\n", "event: ping\ndata: {}\n\n")
      .map((noise) => ({ text: noise })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("data: [DONE]\n\n", "data:[DONE]\r\n\r\n")
      .map((end) => ({ text: end, ends: "done" as const })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('data: {"error":{"message":"M"}}\n\n', 'event: error\ndata: "M"\n\n')
      .map((end) => ({ text: end, ends: "error" as const })),
  },
);

const places = fc.oneof(
  fc.constant<number[]>([]),
  fc.array(fc.nat(), { maxLength: 30 }),
  fc.constant("bytes" as const),
);

/** What a patient reader gets out of the steps: texts up to the end, and whether the answer is whole. */
function expected(steps: Step[]): { content: Map<number, string>; whole: boolean } {
  const content = new Map<number, string>();
  const seen = new Set<number>();
  const finished = new Set<number>();
  for (const one of steps) {
    for (const said of one.says ?? []) {
      seen.add(said.index);
      content.set(said.index, (content.get(said.index) ?? "") + said.content);
    }
    for (const finish of one.finishes ?? []) finished.add(finish);
    if (one.ends) return { content, whole: one.ends === "done" && seen.size > 0 };
  }
  return { content, whole: seen.size > 0 && finished.size === seen.size };
}

describe("whatever an upstream does and however its bytes are cut", () => {
  it("what comes out keeps the grammar and loses no text", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 20 }),
        places,
        fc.boolean(),
        fc.boolean(),
        (steps, cuts, includeUsage, lastLine) => {
          const input = steps.map((one) => one.text).join("");
          const bytes = encode(lastLine ? input : input.replace(/[\r\n]+$/, ""));
          const result = repairAll(cutAt(bytes, cuts), { includeUsage });
          const checked = checkStream(result.bytes, { usage: includeUsage });
          const { content, whole } = expected(steps);
          expect(checked.error === undefined).toBe(whole);
          for (const [at, said] of content) expect(checked.content.get(at) ?? "").toBe(said);
          expect(result.reply.content).toBe(content.get(Math.min(...content.keys())) ?? "");
          expect(result.reply.error === undefined).toBe(whole);
        },
      ),
      { numRuns: 600 },
    );
  });

  it("a stream without faults keeps its bytes", () => {
    const piece = fc.record({ content: text }).map((one) => ({ ...one }));
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        places,
        fc.boolean(),
        fc.boolean(),
        (deltas, cuts, usage, bom) => {
          const base = { id: "a", object: "chat.completion.chunk", created: 5, model: "m" };
          const make = (one: Json, finish: string | null) => ({
            ...base,
            choices: [{ index: 0, delta: one, finish_reason: finish }],
          });
          const clean = stream(
            make({ role: "assistant", content: "" }, null),
            ...deltas.map((one) => make(one, null)),
            make({}, "stop"),
            ...(usage ? [{ ...base, choices: [], usage: { total_tokens: 1 } }] : []),
            "[DONE]",
          );
          const { bytes, reply } = repairAll(cutAt(encode((bom ? "\uFEFF" : "") + clean), cuts), {
            includeUsage: usage,
          });
          expect(new TextDecoder().decode(bytes)).toBe(clean);
          expect(reply.content).toBe(deltas.map((one) => one.content).join(""));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("the cutting makes no difference", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), places, (steps, cuts) => {
        const bytes = encode(steps.map((one) => one.text).join(""));
        expect(repairAll(cutAt(bytes, cuts)).text).toBe(repairAll([bytes]).text);
      }),
      { numRuns: 300 },
    );
  });

  it("damaged bytes give a stream in the grammar all the same", () => {
    const damage = fc.array(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), damage, places, (steps, hits, cuts) => {
        const bytes = concat([encode(steps.map((one) => one.text).join(""))]);
        for (const { at, byte } of hits) bytes[at % bytes.length] = byte;
        const { bytes: sent, repair } = repairAll(cutAt(bytes, cuts));
        const checked = checkStream(sent, { usage: false });
        expect(checked.error === undefined).toBe(repair.failure() === undefined);
      }),
      { numRuns: 600 },
    );
  });

  it("events that differ in one text only are treated like any others", () => {
    // CRLF keeps events from being recognized by their likeness, so it shows what they should become.
    const run = fc.record({
      value: chunk,
      field: fc.constantFrom("content", "reasoning_content"),
      texts: fc.array(text, { maxLength: 5 }),
    });
    const unfold = ({ value, field, texts }: { value: Json; field: string; texts: string[] }): string[] =>
      texts.map((said) => {
        const copy = structuredClone(value);
        for (const one of (copy["choices"] ?? []) as Json[]) (one["delta"] as Json)[field] = said;
        return JSON.stringify(copy);
      });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), places, fc.boolean(), (runs, cuts, includeUsage) => {
        const events = [...runs.flatMap(unfold), "[DONE]"];
        const framedBy = (line: string): Uint8Array =>
          encode(events.map((one) => `data: ${one}${line}${line}`).join(""));
        const known = repairAll(cutAt(framedBy("\n"), cuts), { includeUsage });
        const unknown = repairAll([framedBy("\r\n")], { includeUsage });
        expect(known.text).toBe(unknown.text);
        expect(known.reply).toEqual(unknown.reply);
      }),
      { numRuns: 400 },
    );
  });
});
