import { expect, test } from "vitest";
import { beginResponse, readBytes } from "../../src/http/byte-reader.ts";
import { readBounded } from "../../src/http/read-bounded.ts";

/** A byte stream of these pieces, as bodies of fetches are. */
function bytesOf(pieces: readonly string[]) {
  const waiting = pieces.map((piece) => new TextEncoder().encode(piece));
  const told = { cancelled: undefined as unknown };
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const next = waiting.shift();
      const request = controller.byobRequest!;
      if (!next) {
        controller.close();
        return request.respond(0);
      }
      const view = request.view as Uint8Array;
      view.set(next.subarray(0, view.length));
      if (next.length > view.length) waiting.unshift(next.subarray(view.length));
      request.respond(Math.min(view.length, next.length));
    },
    cancel: (reason) => void (told.cancelled = reason),
  });
  return { body, told };
}

test("pieces stay as they were when later ones are read, of every length", async () => {
  const pieces = ["a", "b".repeat(2048), "c".repeat(2049), "d".repeat(4096), "e".repeat(20_000), "f", "g"];
  const reader = readBytes(bytesOf(pieces).body);
  const found: Uint8Array[] = [];
  for (let step = await reader.read(); !step.done; step = await reader.read()) found.push(step.value!);
  expect(found.map((bytes) => new TextDecoder().decode(bytes)).join("")).toBe(pieces.join(""));
});

test("a response that was begun gives all of it to its reader, also where there is nothing", async () => {
  const response = new Response(bytesOf(["first ", "second"]).body);
  expect(await readBounded((await beginResponse(response))!, 100)).toEqual({ text: "first second", ended: true });
  const empty = new Response(bytesOf([]).body);
  expect(await readBounded((await beginResponse(empty))!, 100)).toEqual({ text: "", ended: true });
  expect(await beginResponse(new Response(null))).toBeUndefined();
});

test("what was begun can be cancelled", async () => {
  const reason = new Error("enough");
  const { body, told } = bytesOf(["first", "second"]);
  await (await beginResponse(new Response(body)))!.cancel(reason);
  expect(told.cancelled).toBe(reason);
});
