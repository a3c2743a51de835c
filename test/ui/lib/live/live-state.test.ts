import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LiveEvent, RunSnapshot, ServerFrame } from "../../../../src/shared/live-protocol.ts";
import { type LiveState, helloFrame, initialLiveState, receiveFrame } from "../../../../src/ui/lib/live/live-state.ts";

/** A server by the protocol's words: numbers events, keeps the last `ring` of them, answers hello. */
class ModelServer {
  epoch = 1;
  seq = 0;
  kept: { seq: number; event: LiveEvent }[] = [];
  runs = new Map<string, RunSnapshot>();
  calls = new Map<string, LiveEvent>();
  readonly ring: number;

  constructor(ring: number) {
    this.ring = ring;
  }

  publish(event: LiveEvent): ServerFrame {
    this.seq += 1;
    this.kept = [...this.kept, { seq: this.seq, event }].slice(-this.ring);
    return { kind: "event", seq: this.seq, ...event };
  }

  delta(id: string, content: string): ServerFrame {
    const run = this.runs.get(id) ?? { ...belongsTo(id), model: "m", content: "", reasoning: "", started_at: 1 };
    this.runs.set(id, { ...run, content: run.content + content });
    return this.publish({ ...belongsTo(id), data: { type: "chat:message:delta", data: { content } } });
  }

  finish(id: string): ServerFrame {
    const content = this.runs.get(id)?.content ?? "";
    this.runs.delete(id);
    return this.publish({
      ...belongsTo(id),
      data: { type: "chat:completion", data: { done: true, content, state: "done" } },
    });
  }

  ask(id: string): ServerFrame {
    const question: LiveEvent = {
      ...belongsTo("m0"),
      data: { type: "confirmation", data: { title: id } },
      call: { id, expires_at: 9 },
    };
    this.calls.set(id, question);
    return this.publish(question);
  }

  close(id: string): ServerFrame {
    this.calls.delete(id);
    return this.publish({ data: { type: "call:closed", data: { call_id: id, reason: "answered" } } });
  }

  restart(): void {
    this.epoch += 1;
    this.seq = 0;
    this.kept = [];
    this.runs.clear();
    this.calls.clear();
  }

  hello(hello: { epoch?: string; since?: number }): ServerFrame[] {
    const { since = -1 } = hello;
    const epoch = `e${this.epoch}`;
    const replayed =
      hello.epoch === epoch &&
      since <= this.seq &&
      (since === this.seq || (this.kept[0]?.seq ?? Infinity) <= since + 1);
    const welcome: ServerFrame = {
      kind: "welcome",
      epoch,
      seq: this.seq,
      session_id: "s",
      replayed,
      runs: [...this.runs.values()],
      calls: [...this.calls.values()],
    };
    const missed = replayed ? this.kept.filter((one) => one.seq > since) : [];
    return [welcome, ...missed.map(({ seq, event }): ServerFrame => ({ kind: "event", seq, ...event }))];
  }
}

function belongsTo(id: string): { chat_id: string; message_id: string; run_id: string } {
  return { chat_id: "c", message_id: id, run_id: `run-${id}` };
}

/** A tab: applies frames, answers `reconnect` with a new hello, and notes what it was told. */
class Tab {
  state: LiveState = initialLiveState;
  delivered: string[] = [];
  reloads = 0;
  readonly server: ModelServer;

  constructor(server: ModelServer) {
    this.server = server;
  }

  receive(frame: ServerFrame): void {
    const received = receiveFrame(this.state, frame);
    this.state = received.state;
    if (frame.kind === "event" && received.event) this.delivered.push(`${this.state.epoch}:${frame.seq}`);
    if (received.then === "reload") this.reloads += 1;
    if (received.then === "reconnect") this.connect();
  }

  connect(): void {
    for (const frame of this.server.hello(helloFrame(this.state))) this.receive(frame);
  }
}

const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("delta" as const),
      run: fc.nat(3),
      text: fc.string({ minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("finish" as const), run: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("ask" as const, "close" as const), run: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("connect" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("disconnect" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("repeat" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("lose" as const), run: fc.nat(3) }) },
);

describe("a tab that loses, repeats and reconnects at any time", () => {
  it("ends with exactly the text of the server: nothing lost, nothing doubled", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (actions, ring) => {
        const server = new ModelServer(ring);
        const tab = new Tab(server);
        let connected = false;
        let last: ServerFrame | undefined;
        let deltas = 0;
        for (const step of actions) {
          if (step.kind === "connect" && !connected) {
            connected = true;
            tab.connect();
          } else if (step.kind === "disconnect") connected = false;
          else if (step.kind === "restart") {
            server.restart();
            connected = false;
            last = undefined;
          } else if (step.kind === "delta" || step.kind === "finish" || step.kind === "lose") {
            deltas += 1;
            last =
              step.kind === "finish"
                ? server.finish(`m${step.run}`)
                : server.delta(`m${step.run}`, "text" in step ? step.text : `${deltas}`);
            if (connected && step.kind !== "lose") tab.receive(last);
          } else if (step.kind === "ask" || step.kind === "close") {
            last = step.kind === "ask" ? server.ask(`call${step.run}`) : server.close(`call${step.run}`);
            if (connected) tab.receive(last);
          } else if (step.kind === "repeat" && connected && last) tab.receive(last);
        }
        tab.connect();
        expect(Object.fromEntries(Object.entries(tab.state.runs).map(([id, run]) => [id, run.content]))).toEqual(
          Object.fromEntries([...server.runs].map(([id, run]) => [id, run.content])),
        );
        expect(Object.keys(tab.state.calls).sort()).toEqual([...server.calls.keys()].sort());
        expect(tab.state.seq).toBe(server.seq);
        expect(new Set(tab.delivered).size).toBe(tab.delivered.length);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("frames one by one", () => {
  const welcomed = receiveFrame(initialLiveState, {
    kind: "welcome",
    epoch: "a",
    seq: 4,
    session_id: "s",
    replayed: false,
    runs: [],
    calls: [],
  });
  const delta = (seq: number, content: string): ServerFrame => ({
    kind: "event",
    seq,
    ...belongsTo("m"),
    data: { type: "chat:message:delta", data: { content } },
  });

  it("asks for a reload when the server could not replay", () => {
    expect(welcomed.then).toBe("reload");
    expect(helloFrame(welcomed.state)).toEqual({ kind: "hello", epoch: "a", since: 4 });
    expect(helloFrame(initialLiveState)).toEqual({ kind: "hello" });
  });

  it("reconnects at a gap, and as if it knew nothing when the server has the same gap again", () => {
    const first = receiveFrame(welcomed.state, delta(7, "x"));
    expect(first).toMatchObject({ then: "reconnect", state: { seq: 4 } });
    const again = receiveFrame(first.state, delta(7, "x"));
    expect(again).toMatchObject({ then: "reconnect", state: { seq: 4 } });
    expect(helloFrame(again.state)).toEqual({ kind: "hello" });
  });

  it("continues from the text a message already has", () => {
    const received = receiveFrame(welcomed.state, delta(5, " more"), () => ({ content: "some", reasoning: "why" }));
    expect(received.state.runs["m"]).toMatchObject({ content: "some more", reasoning: "why" });
  });

  it("ends a run at its completion, its error, or when it is no longer active", () => {
    const running = receiveFrame(welcomed.state, delta(5, "x")).state;
    for (const data of [
      { type: "chat:completion", data: { done: true, content: "x" } },
      { type: "chat:message:error", data: { error: { message: "no", code: "upstream" } } },
      { type: "chat:active", data: { active: false } },
    ]) {
      expect(receiveFrame(running, { kind: "event", seq: 6, ...belongsTo("m"), data }).state.runs).toEqual({});
    }
  });

  it("replaces and separates text as the contract's types say, and survives data of any shape", () => {
    let { state } = receiveFrame(welcomed.state, delta(5, "x"));
    const types: [string, unknown][] = [
      ["replace", { content: "new" }],
      ["chat:reasoning:delta", { content: "hm" }],
      ["message", { content: "!" }],
      ["message", null],
      ["chat:completion", 3],
      ["unknown", {}],
    ];
    for (const [type, data] of types) {
      state = receiveFrame(state, { kind: "event", seq: state.seq + 1, ...belongsTo("m"), data: { type, data } }).state;
    }
    expect(state.runs["m"]).toMatchObject({ content: "new!", reasoning: "hm" });
    expect(state.seq).toBe(11);
  });

  it("does not make a run from a plugin's event to a finished message", () => {
    const { run_id: _, ...plugin } = belongsTo("m");
    const received = receiveFrame(welcomed.state, {
      kind: "event",
      seq: 5,
      ...plugin,
      data: { type: "message", data: { content: "x" } },
    });
    expect(received.state.runs).toEqual({});
    expect(received.event).toBeDefined();
  });

  it("keeps a question from the event or the welcome until it is closed, and says which one that was", () => {
    const question: LiveEvent = {
      ...belongsTo("m"),
      data: { type: "input", data: { title: "Name?" } },
      call: { id: "c1", expires_at: 9 },
    };
    const asked = receiveFrame(welcomed.state, { kind: "event", seq: 5, ...question });
    expect(asked.state.calls).toEqual({ c1: question });
    const other = receiveFrame(initialLiveState, {
      kind: "welcome",
      epoch: "a",
      seq: 5,
      session_id: "s",
      replayed: false,
      runs: [],
      calls: [question],
    });
    expect(other.state.calls).toEqual({ c1: question });
    const over = (id: unknown): ServerFrame => ({
      kind: "event",
      seq: 6,
      data: { type: "call:closed", data: { call_id: id, reason: "timeout" } },
    });
    for (const { state } of [asked, other]) {
      const closed = receiveFrame(state, over("c1"));
      expect(closed.state.calls).toEqual({});
      expect(closed.closed).toEqual(question);
    }
    for (const id of ["c2", undefined, 3]) expect(receiveFrame(asked.state, over(id)).closed).toBeUndefined();
  });

  it("drops a question that the service does not know any more when the connection comes back", () => {
    const asked = receiveFrame(welcomed.state, {
      kind: "event",
      seq: 5,
      data: { type: "confirmation", data: {} },
      call: { id: "c1", expires_at: 9 },
    });
    const back = { kind: "welcome", epoch: "a", seq: 5, session_id: "s", replayed: true, runs: [], calls: [] } as const;
    expect(receiveFrame(asked.state, { ...back, runs: [], calls: [] }).state.calls).toEqual({});
  });

  it("passes the end of the session on", () => {
    expect(receiveFrame(welcomed.state, { kind: "signed-out", reason: "x" }).then).toBe("sign-in");
  });
});
