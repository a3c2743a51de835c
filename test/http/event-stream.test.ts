import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { eventStream } from "../../src/http/event-stream.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function* watch(signal: AbortSignal): AsyncGenerator<unknown, undefined> {
  yield "one";
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  return undefined;
}

/** All that can be read now. */
async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const read = reader.read();
    const found = await Promise.race([read, vi.advanceTimersByTimeAsync(1).then(() => undefined)]);
    if (!found?.value) return texts;
    texts.push(new TextDecoder().decode(found.value));
  }
}

it("says that it is still there while somebody reads", async () => {
  const reader = eventStream(new Request("http://parley.test"), watch).body!.getReader();
  expect(await readOn(reader)).toEqual(['data: "one"\n\n']);
  await vi.advanceTimersByTimeAsync(30_000);
  // The first one went to the reader that waits.
  expect(await readOn(reader)).toEqual([": still there\n\n"]);
  await reader.cancel();
});

it("keeps no more than one piece for a reader who does not read", async () => {
  const reader = eventStream(new Request("http://parley.test"), watch).body!.getReader();
  await vi.advanceTimersByTimeAsync(3_600_000);
  const kept = await readOn(reader);
  expect(kept.length).toBeLessThanOrEqual(2);
  await reader.cancel();
});
