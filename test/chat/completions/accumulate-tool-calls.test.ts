import { describe, expect, it } from "vitest";
import { createToolCallList } from "../../../src/chat/completions/accumulate-tool-calls.ts";

type Fragment = Record<string, unknown>;

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
  const list = createToolCallList();
  fragments.forEach(list.add);
  return list.list().map(({ id, function: made }) => `${id} ${made.name} ${made.arguments}`);
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
      'a one {"x":2}',
    ]);
    expect(
      gather(
        fragment(0, "a", "one", '{"x":'),
        fragment(1, "a", "one", '{"y":'),
        fragment(0, "a", undefined, "1}"),
        fragment(1, "a", undefined, "2}"),
      ),
    ).toEqual(['a one {"x":1}', 'a one {"y":2}']);
    for (const index of [0, undefined]) {
      expect(gather(fragment(index, "a", "one", '{"x":1}'), fragment(index, "a", "two", '{"x":2}'))).toEqual([
        'a one {"x":1}',
        'a two {"x":2}',
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
    ).toEqual([' one {"x":1}', ' one {"x":2}', " two {}"]);
  });

  it("that only repeat a whole call are not another", () => {
    expect(gather(fragment(0, "a", "one", '{"x":1}'), fragment(0, "a", "one", '{"x":1}'))).toEqual(['a one {"x":1}']);
  });

  it("under one index with ids of their own are several calls", () => {
    expect(gather(fragment(0, "a", "one", "{}"), fragment(0, "b", "two", "{}"))).toEqual(["a one {}", "b two {}"]);
  });
});
