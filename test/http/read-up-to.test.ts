import { describe, expect, it } from "vitest";
import { readBytesUpTo } from "../../src/http/read-up-to.ts";
import { fromBase64, toBase64 } from "../../src/lib/base64.ts";

const bytes = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, at) => at * 7);

function body(pieces: readonly number[]) {
  const state = { taken: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const length = pieces[state.taken++];
        if (length === undefined) controller.close();
        else controller.enqueue(bytes(length));
      },
      cancel() {
        state.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, state };
}

describe("the bytes of a body", () => {
  it("are all of them, up to the limit", async () => {
    expect(await readBytesUpTo(body([3, 0, 4]).stream, 7)).toEqual(new Uint8Array([...bytes(3), ...bytes(4)]));
    expect(await readBytesUpTo(null, 7)).toEqual(new Uint8Array());
  });

  it("are none beyond it, and the rest is left", async () => {
    const { stream, state } = body([3, 5, 1, 1, 1]);
    expect(await readBytesUpTo(stream, 7)).toBeUndefined();
    expect(state).toEqual({ taken: 2, cancelled: true });
  });
});

it.each([0, 1, 2, 3, 24_575, 24_576, 24_577, 100_000])("%i bytes are the same after base64", (length) => {
  const given = bytes(length);
  expect(toBase64(given)).toBe(Buffer.from(given).toString("base64"));
  expect(fromBase64(toBase64(given))).toEqual(given);
});
