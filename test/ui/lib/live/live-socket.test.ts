import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServerFrame } from "../../../../src/shared/live-protocol.ts";
import { LiveSocket, type SocketLike, type Way } from "../../../../src/ui/lib/live/live-socket.ts";
import type { Received } from "../../../../src/ui/lib/live/live-state.ts";

type Listener = (event: { code?: number; data?: unknown }) => void;

class FakeSocket implements SocketLike {
  readyState = 0;
  sent: string[] = [];
  readonly #listeners = new Map<string, Listener[]>();

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  emit(type: string, event: { code?: number; data?: unknown } = {}): void {
    if (type === "open") this.readyState = 1;
    if (type === "close") this.readyState = 3;
    for (const listener of this.#listeners.get(type) ?? []) listener(event);
  }
  frame(frame: ServerFrame): void {
    this.emit("message", { data: JSON.stringify(frame) });
  }
  get frames(): unknown[] {
    return this.sent.filter((text) => text.startsWith("{")).map((text): unknown => JSON.parse(text));
  }
}

const welcome = (seq: number, replayed = false): ServerFrame => ({
  kind: "welcome",
  epoch: "a",
  seq,
  session_id: "s",
  replayed,
  runs: [],
  calls: [],
});

let sockets: FakeSocket[] = [];
let ways: Way[] = [];
let received: Received[] = [];
let connected: boolean[] = [];
let lost = 0;
let visible = true;
let live: LiveSocket;
const last = (): FakeSocket => {
  const socket = sockets.at(-1);
  if (!socket) throw new Error("no socket was opened");
  return socket;
};

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  ways = [];
  received = [];
  connected = [];
  lost = 0;
  visible = true;
  live = new LiveSocket({
    open: (way) => {
      const socket = new FakeSocket();
      ways.push(way);
      sockets.push(socket);
      return socket;
    },
    onReceived: (one) => received.push(one),
    onConnected: (one) => connected.push(one),
    onLost: () => lost++,
    isVisible: () => visible,
    random: () => 1,
  });
});
afterEach(() => {
  live.stop();
  vi.useRealTimers();
});

describe("the live socket", () => {
  it("says hello, reports visibility at once and every 30 s, and pings", () => {
    live.start();
    last().emit("open");
    last().frame(welcome(3));
    expect(last().frames).toEqual([{ kind: "hello" }, { kind: "visible", visible: true }]);
    vi.advanceTimersByTime(26_000);
    expect(last().sent).toContain("ping");
    last().emit("message", { data: "pong" });
    vi.advanceTimersByTime(10_000);
    expect(last().frames.at(-1)).toEqual({ kind: "visible", visible: true });
    expect(last().frames).toHaveLength(3);
    expect(connected).toEqual([true]);
  });

  it("stays quiet about visibility while hidden", () => {
    visible = false;
    live.start();
    last().emit("open");
    last().frame(welcome(0));
    vi.advanceTimersByTime(20_000);
    expect(last().frames).toEqual([{ kind: "hello" }, { kind: "visible", visible: false }]);
  });

  it("connects again after growing waits and asks for what it missed", () => {
    live.start();
    last().emit("open");
    last().frame(welcome(3));
    last().emit("close", { code: 1006 });
    for (const wait of [500, 1000, 2000]) {
      const count = sockets.length;
      vi.advanceTimersByTime(wait - 1);
      expect(sockets).toHaveLength(count);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(count + 1);
      if (wait < 2000) last().emit("close", { code: 1006 });
      // The second failure in a row asks at once whether a stream gets through.
      if (wait === 1000) last().emit("close", { code: 1006 });
    }
    expect(ways).toEqual(["socket", "socket", "socket", "stream", "socket"]);
    last().emit("open");
    expect(last().frames[0]).toEqual({ kind: "hello", epoch: "a", since: 3 });
    last().frame(welcome(3, true));
    last().emit("close", { code: 1006 });
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(6);
    expect(connected).toEqual([true, false, false, false, false, true, false]);
    expect(lost).toBe(5);
  });

  it("waits several seconds where the service asks to come back later, each time, and goes on from what it has seen", () => {
    live.start();
    for (const seq of [3, 4]) {
      last().emit("open");
      last().frame(welcome(3, seq > 3));
      last().frame({ kind: "event", seq: seq + 1, data: { type: "x", data: {} } });
      const count = sockets.length;
      last().emit("close", { code: 1013 });
      vi.advanceTimersByTime(9_999);
      expect(sockets).toHaveLength(count);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(count + 1);
    }
    last().emit("open");
    expect(last().frames[0]).toEqual({ kind: "hello", epoch: "a", since: 5 });
    expect(received.flatMap(({ event }) => event ?? [])).toHaveLength(2);
  });

  it("takes a connection without an answer to its ping for lost", () => {
    live.start();
    last().emit("open");
    last().frame(welcome(3));
    vi.advanceTimersByTime(36_000);
    expect(sockets).toHaveLength(2);
    expect(sockets[0]?.readyState).toBe(3);
  });

  it("connects at once when woken, instead of waiting", () => {
    live.start();
    last().emit("close", { code: 1006 });
    live.wake();
    expect(sockets).toHaveLength(2);
    last().emit("open");
    last().frame(welcome(3));
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
  });

  describe("where no sockets get through", () => {
    const failTwice = (): void => {
      live.start();
      last().emit("close", { code: 1006 });
      vi.advanceTimersByTime(500);
      last().emit("close", { code: 1006 });
    };
    const serve = (seq: number, replayed = false): void => {
      last().emit("open");
      last().frame(welcome(seq, replayed));
    };

    it("goes over to a stream, and back when a socket opens, from where it was", () => {
      failTwice();
      serve(3);
      last().frame({ kind: "event", seq: 4, data: { type: "x", data: {} } });
      expect(ways).toEqual(["socket", "socket", "stream"]);
      for (const wait of [5000, 10_000]) {
        vi.advanceTimersByTime(wait);
        expect(ways.at(-1)).toBe("socket");
        last().emit("close", { code: 1006 });
      }
      const stream = sockets[2]!;
      expect(stream.readyState).toBe(1);
      vi.advanceTimersByTime(12_000);
      stream.emit("message", { data: "pong" });
      vi.advanceTimersByTime(8000);
      last().emit("open");
      last().emit("close", { code: 1005 });
      expect(stream.readyState).toBe(3);
      serve(4, true);
      expect(last().frames[0]).toEqual({ kind: "hello", epoch: "a", since: 4 });
      expect(ways.slice(3)).toEqual(["socket", "socket", "socket", "socket"]);
      const count = sockets.length;
      vi.advanceTimersByTime(9000);
      expect(sockets).toHaveLength(count);
    });

    it("does not wait for a socket that says nothing", () => {
      live.start();
      last().emit("open");
      vi.advanceTimersByTime(2500);
      expect(ways).toEqual(["socket", "stream"]);
    });

    it("tries sockets again after a stream that is lost", () => {
      failTwice();
      serve(3);
      last().emit("close", { code: 1006 });
      vi.advanceTimersByTime(500);
      expect(ways.slice(3)).toEqual(["socket"]);
      last().emit("close", { code: 1006 });
      expect(ways.slice(3)).toEqual(["socket", "stream"]);
    });

    it("leaves the stream when the session has ended, and tries nothing more", () => {
      failTwice();
      serve(3);
      last().frame({ kind: "signed-out", reason: "session_ended" });
      vi.advanceTimersByTime(120_000);
      expect(ways).toHaveLength(3);
      expect(received.filter(({ then }) => then === "sign-in")).toHaveLength(1);
    });
  });

  it("asks again at a gap in the numbers", () => {
    live.start();
    last().emit("open");
    last().frame(welcome(3));
    last().frame({ kind: "event", seq: 6, data: { type: "chat:list", data: {} } });
    expect(sockets).toHaveLength(2);
    last().emit("open");
    expect(last().frames[0]).toEqual({ kind: "hello", epoch: "a", since: 3 });
  });

  it("stops when the session has ended, by frame or by close code, and tells it once", () => {
    live.start();
    last().emit("open");
    last().frame({ kind: "signed-out", reason: "expired" });
    last().emit("close", { code: 4401 });
    vi.advanceTimersByTime(120_000);
    expect(sockets).toHaveLength(1);
    expect(received.filter((one) => one.then === "sign-in")).toHaveLength(1);
    live.start();
    last().emit("close", { code: 4401 });
    expect(received.filter((one) => one.then === "sign-in")).toHaveLength(2);
  });

  it("ignores the pong, unknown kinds and what is not JSON", () => {
    live.start();
    last().emit("open");
    for (const data of ["pong", '{"kind":"new"}', "{broken", 7]) last().emit("message", { data });
    expect(received).toEqual([]);
  });

  it("asks for snapshots on refresh", () => {
    live.start();
    last().emit("open");
    last().frame(welcome(3));
    live.refresh();
    last().emit("open");
    expect(last().frames[0]).toEqual({ kind: "hello" });
  });
});
