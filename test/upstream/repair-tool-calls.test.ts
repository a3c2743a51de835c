import { describe, expect, it } from "vitest";
import { createToolCallList, type ToolCall } from "../../src/upstream/answers/accumulate-tool-calls.ts";
import { createToolCallRepair } from "../../src/upstream/repair/repair-tool-calls.ts";

type Fragment = Record<string, unknown>;

/** The calls that a client has which joins pieces by their index. Each entry is one delta. */
function join(deltas: readonly unknown[], onlyTool?: string): ToolCall[] {
  let made = 0;
  const repair = createToolCallRepair({ newCallId: () => `made${++made}`, onlyTool });
  const list = createToolCallList();
  for (const delta of deltas) repair.add(delta).pieces.forEach(list.add);
  repair.end(false).forEach(list.add);
  return list.list();
}

const fragment = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  args: string,
): Fragment => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  type: "function",
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});

function gather(...fragments: Fragment[]): string[] {
  const calls = join(fragments.map((one) => [one]));
  return calls.map(({ id, function: made }) => `${id} ${made.name} ${made.arguments}`);
}

describe("fragments of tool calls", () => {
  it("belong together by their index", () => {
    expect(
      gather(
        fragment(0, "a", "one", ""),
        fragment(0, undefined, undefined, '{"x":'),
        fragment(1, "b", "two", ""),
        fragment(0, undefined, undefined, "1}"),
        fragment(1, undefined, undefined, "{}"),
      ),
    ).toEqual(['a one {"x":1}', "b two {}"]);
  });

  it("with one id and name again and again are of one call", () => {
    expect(
      gather(fragment(0, "a", "one", '{"x":'), fragment(0, "a", "one", '{"y":2}'), fragment(0, "a", "one", "}")),
    ).toEqual(['a one {"x":{"y":2}}']);
  });

  it("are of several calls where all have one id: by index, or after whole arguments", () => {
    expect(gather(fragment(0, "a", "one", '{"x":1}'), fragment(1, "a", "one", '{"x":2}'))).toEqual([
      'a one {"x":1}',
      'made1 one {"x":2}',
    ]);
    expect(
      gather(
        fragment(0, "a", "one", '{"x":'),
        fragment(1, "a", "one", '{"y":'),
        fragment(0, "a", undefined, "1}"),
        fragment(1, "a", undefined, "2}"),
      ),
    ).toEqual(['a one {"x":1}', 'made1 one {"y":2}']);
    for (const index of [0, undefined]) {
      expect(gather(fragment(index, "a", "one", '{"x":1}'), fragment(index, "a", "two", '{"x":2}'))).toEqual([
        'a one {"x":1}',
        'made1 two {"x":2}',
      ]);
    }
  });

  it("without ids and indexes are several calls where they are whole or have other names", () => {
    expect(
      gather(
        fragment(undefined, undefined, "one", '{"x":1}'),
        fragment(undefined, undefined, "one", '{"x":2}'),
        fragment(undefined, undefined, "two", ""),
        fragment(undefined, undefined, undefined, "{}"),
      ),
    ).toEqual(['made1 one {"x":1}', 'made2 one {"x":2}', "made3 two {}"]);
  });

  it("that only repeat a whole call are not another", () => {
    expect(gather(fragment(0, "a", "one", '{"x":1}'), fragment(0, "a", "one", '{"x":1}'))).toEqual(['a one {"x":1}']);
  });

  it("under one index with ids of their own are several calls", () => {
    expect(gather(fragment(0, "a", "one", "{}"), fragment(0, "b", "two", "{}"))).toEqual(["a one {}", "b two {}"]);
  });
});

describe("deltas with calls", () => {
  const call = (id: string, name: string, args: string) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  });
  const cases: [string, unknown[], unknown[]][] = [
    [
      "are joined by index, interleaved",
      [
        { index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } },
        { index: 1, id: "b", type: "function", function: { name: "g", arguments: '{"x"' } },
        { index: 0, function: { arguments: "{}" } },
        { index: 1, function: { arguments: ":1}" } },
      ],
      [call("a", "f", "{}"), call("b", "g", '{"x":1}')],
    ],
    [
      "with the same index but other ids are calls of their own",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "{}" } },
        { index: 0, id: "b", function: { name: "g", arguments: "{}" } },
      ],
      [call("a", "f", "{}"), call("b", "g", "{}")],
    ],
    [
      "without id and index go on with the last",
      [{ id: "a", function: { name: "f", arguments: "{" } }, { function: { arguments: "}" } }],
      [call("a", "f", "{}")],
    ],
    [
      "without an index but with ids are told apart",
      [
        { id: "a", function: { name: "f", arguments: "{}" } },
        { id: "b", function: { name: "f", arguments: "[]" } },
        { id: "a", function: { arguments: " " } },
      ],
      [call("a", "f", " {}"), call("b", "f", "[]")],
    ],
    [
      "that repeat id and name do not double them",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "{" } },
        { index: 0, id: "a", function: { name: "f", arguments: "}" } },
      ],
      [call("a", "f", "{}")],
    ],
    [
      "with arguments as an object are made text",
      [{ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } }],
      [call("a", "f", '{"x":1}')],
    ],
    [
      "keep further fields",
      [{ index: 0, id: "a", extra_content: { sig: "s" }, function: { name: "f", arguments: "{}" } }],
      [{ ...call("a", "f", "{}"), extra_content: { sig: "s" } }],
    ],
    [
      "come as one object instead of a list",
      [{ index: 3, id: "a", function: { name: "f", arguments: "{}" } }],
      [call("a", "f", "{}")],
    ],
    [
      "have two calls alike in one list",
      [[{ function: { name: "f", arguments: "{}" } }, { function: { name: "f", arguments: "{}" } }]],
      [call("made1", "f", "{}"), call("made2", "f", "{}")],
    ],
    [
      "say the name late",
      [
        { index: 0, id: "a", function: { arguments: '{"x"' } },
        { index: 0, function: { name: "f", arguments: ":" } },
        { index: 0, function: { arguments: "1}" } },
      ],
      [call("a", "f", '{"x":1}')],
    ],
    ["never say a name", [{ index: 0, id: "a", function: { arguments: "{}" } }], [call("a", "unknown", "{}")]],
    ["never say arguments", [{ index: 0, id: "a", function: { name: "f", arguments: null } }], [call("a", "f", "{}")]],
    [
      "begin with an empty object that another follows",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "{}" } },
        { index: 0, function: { arguments: '{"x":1}' } },
      ],
      [call("a", "f", '{"x":1}')],
    ],
    ["that are no objects are left out", [null, "x", 7], []],
  ];

  it.each(cases)("%s", (_name, fragments, calls) => {
    expect(join(fragments)).toEqual(calls);
  });
});

describe("what goes out", () => {
  it("has id, type, name and arguments at first, then arguments alone", () => {
    const repair = createToolCallRepair({ newCallId: () => "made" });
    expect(repair.add([{ index: 5, function: { name: "f" } }])).toEqual({
      pieces: [{ index: 0, id: "made", type: "function", function: { name: "f", arguments: "" } }],
      isChanged: true,
    });
    expect(repair.add([{ index: 5, id: "late", type: "function", function: { name: "f", arguments: "{" } }])).toEqual({
      pieces: [{ index: 0, function: { arguments: "{" } }],
      isChanged: true,
    });
  });

  it("is what came where that is in order", () => {
    const repair = createToolCallRepair({ newCallId: () => "made" });
    const pieces = [
      [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }],
      [{ index: 0, function: { arguments: '{"x":' } }],
      [{ index: 1, id: "b", type: "function", function: { name: "g", arguments: "[" } }],
      [{ index: 0, function: { arguments: "1}" } }],
    ];
    for (const piece of pieces) expect(repair.add(piece)).toEqual({ pieces: piece, isChanged: false });
  });

  it("has the name of the only tool there is where the call has none", () => {
    expect(join([[{ id: "a", function: { arguments: "{}" } }]], "f")[0]?.function.name).toBe("f");
  });

  it("does not look whole where the answer was cut off", () => {
    const repair = createToolCallRepair({ newCallId: () => "made" });
    repair.add([{ index: 0, id: "a", function: { name: "f", arguments: "" } }]);
    repair.add([{ index: 1, id: "b", function: { arguments: '{"x' } }]);
    expect(repair.end(true)).toEqual([
      { index: 1, id: "b", type: "function", function: { name: "unknown", arguments: '{"x' } },
    ]);
  });

  it("is bounded: calls beyond a number are lost, long nameless arguments get a name", () => {
    const many = Array.from({ length: 300 }, (_, index) => [{ index, function: { name: "f", arguments: "{}" } }]);
    expect(join(many)).toHaveLength(256);
    const repair = createToolCallRepair({ newCallId: () => "made" });
    const long = { index: 0, function: { arguments: "x".repeat(40_000) } };
    expect(repair.add([long]).pieces).toEqual([]);
    expect(repair.add([long]).pieces).toMatchObject([{ function: { name: "unknown" } }]);
  });
});
