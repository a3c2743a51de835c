import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { initialLiveState, type LiveState } from "../../../../src/ui/lib/live/live-state.ts";
import { StreamSocket } from "../../../../src/ui/lib/live/stream-socket.ts";

/** Frames that were sent, each with what answers it. */
const frames = vi.hoisted(() => [] as { frame: unknown; settle: PromiseWithResolvers<void> }[]);
vi.mock("../../../../src/ui/lib/api.ts", () => ({
  api(_method: string, _path: string, { body }: { body: { frame: unknown } }) {
    const settle = Promise.withResolvers<void>();
    frames.push({ frame: body.frame, settle });
    return settle.promise;
  },
}));

interface Asked {
  url: string;
  lastId: string | null;
  signal: AbortSignal;
  answer(status: number): ReadableStreamDefaultController<Uint8Array>;
}

let asked: Asked[];
let wake: () => void;
let state: LiveState;
let heard: string[];
let closed: (number | undefined)[];
let socket: StreamSocket;

/** Resolves with a request as soon as it was made. */
async function request(index: number): Promise<Asked> {
  while (!asked[index]) await new Promise<void>((resolve) => (wake = resolve));
  return asked[index];
}

beforeEach(async () => {
  vi.useFakeTimers();
  [asked, heard, closed, state] = [[], [], [], initialLiveState];
  frames.length = 0;
  vi.stubGlobal("fetch", (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    asked.push({
      url,
      lastId: new Headers(init.headers).get("last-event-id"),
      signal: init.signal,
      answer(status) {
        let writer!: ReadableStreamDefaultController<Uint8Array>;
        const body = new ReadableStream<Uint8Array>({ start: (controller) => void (writer = controller) });
        init.signal.addEventListener("abort", () => writer.error(new Error("aborted")));
        resolve(new Response(body, { status }));
        return writer;
      },
    });
    init.signal.addEventListener("abort", () => reject(new Error("aborted")));
    wake?.();
    return promise;
  });
  socket = new StreamSocket(
    () => state,
    () => true,
  );
  socket.addEventListener("message", ({ data }) => {
    heard.push(String(data));
    wake?.();
  });
  socket.addEventListener("close", ({ code }) => {
    closed.push(code);
    wake?.();
  });
  const opened = new Promise<void>((resolve) => socket.addEventListener("open", () => resolve()));
  await opened;
  socket.send(JSON.stringify({ kind: "hello" }));
});
afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const event = (text: string) => new TextEncoder().encode(`id: a:1\ndata: ${text}\n\n`);
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise<void>((resolve) => (wake = resolve));
};

test("a stream that ends goes on from what was seen last", async () => {
  const first = await request(0);
  expect(first.url).toBe("/api/v1/events/stream?visible=true");
  expect(first.lastId).toBeNull();
  const writer = first.answer(200);
  writer.enqueue(event("one"));
  await until(() => heard.length === 1);
  state = { ...state, epoch: "a", seq: 7 };
  writer.close();
  const second = await request(1);
  expect([second.url, second.lastId]).toEqual([first.url, "a:7"]);
  second.answer(200).enqueue(event("two"));
  await until(() => heard.length === 2);
  expect(heard).toEqual(["one", "two"]);
  expect(closed).toEqual([]);
});

test("a stream that is held back becomes short answers, the first one at once", async () => {
  await request(0);
  vi.advanceTimersByTime(1500);
  const first = await request(1);
  expect(first.url).toMatch(/wait=0$/);
  const writer = first.answer(200);
  writer.enqueue(event("one"));
  writer.close();
  expect((await request(2)).url).toMatch(/wait=20$/);
});

test.each([
  [401, 4401],
  [429, 1013],
  [502, 1006],
])("an answer %i closes with %i", async (status, code) => {
  (await request(0)).answer(status);
  await until(() => closed.length > 0);
  expect(closed).toEqual([code]);
});

test("closing ends the request and says nothing more", async () => {
  const { signal } = await request(0);
  socket.close();
  expect(signal.aborted).toBe(true);
  expect(closed).toEqual([]);
});

test("frames go one after the other, also behind one that does not get through", async () => {
  state = { ...state, sessionId: "s" };
  const sent = [false, true, false].map((visible) => ({ kind: "visible", visible }));
  for (const frame of sent) socket.send(JSON.stringify(frame));
  const seen = () => frames.map(({ frame }) => frame);
  await vi.waitFor(() => expect(seen()).toEqual(sent.slice(0, 1)));
  frames[0]!.settle.reject(new Error("lost"));
  await vi.waitFor(() => expect(seen()).toEqual(sent.slice(0, 2)));
  frames[1]!.settle.resolve();
  await vi.waitFor(() => expect(seen()).toEqual(sent));
});
