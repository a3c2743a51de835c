import fc from "fast-check";
import { expect, it } from "vitest";
import { withFirstEvent } from "../../../src/chat/retrieval/with-sources.ts";

const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 7, model: "m", choices: [{ index: 0, delta: { content } }] })}\n\n`;
const first = `data: {"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[],"sources":["s"]}\n\n`;

/** Text as a stream that is cut at these places. */
function cut(text: string, places: readonly number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  const pieces = [...ends, bytes.length].map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
}
const through = (text: string, places: readonly number[] = []) =>
  new Response(withFirstEvent(cut(text, places), { sources: ["s"] })).text();

it("puts one event before the first chunk, however the bytes are cut", async () => {
  const comments = fc.constantFrom("", ": keep-alive\n\n", ": keep-alive\n\n: keep-alive\n\n");
  const texts = fc.array(fc.constantFrom("", "a", "né", "漢字", "🗼\n\ndata: x", "\ud800"), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(comments, texts, fc.array(fc.nat(2000), { maxLength: 12 }), async (before, said, places) => {
      const rest = `${said.map(chunk).join("")}data: [DONE]\n\n`;
      expect(await through(before + rest, places)).toBe(before + first + rest);
    }),
  );
});

it("adds nothing to an error or to nothing at all", async () => {
  const error = `data: {"error":{"message":"no"}}\n\n`;
  for (const text of [error, "data: [DONE]\n\n", "", ": keep-alive\n\n", "data: {"])
    expect(await through(text)).toBe(text);
});

it("sends comments on before there is a chunk, reads nothing that nobody wants, and passes a cancellation on", async () => {
  let pulled = 0;
  let cancelled: unknown;
  const source = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(new TextEncoder().encode(": keep-alive\n\n"));
      },
      cancel: (reason) => void (cancelled = reason),
    },
    { highWaterMark: 0 },
  );
  const reader = withFirstEvent(source, {}).getReader();
  expect(pulled).toBe(0);
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(": keep-alive\n\n");
  expect(pulled).toBe(1);
  await reader.cancel("gone");
  expect(cancelled).toBe("gone");
});
