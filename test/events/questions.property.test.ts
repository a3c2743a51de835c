import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/events/answers.ts";
import { Session, type Effect } from "../../src/events/session.ts";
import type { LiveEvent, ServerFrame } from "../../src/shared/live-protocol.ts";

/** A tab that keeps what it has been told: the questions that it shows, and those whose code it has begun to run. */
interface Tab {
  name: string;
  socket: string | undefined;
  epoch: string | undefined;
  seq: number;
  shown: Map<string, NonNullable<LiveEvent["call"]>>;
  /** Calls whose end it has heard of. */
  closed: string[];
}

interface Asked {
  type: "confirmation" | "input" | "execute";
  outcomes: Outcome[];
  /** Answers that were taken, in order. */
  taken: unknown[];
}

/** Session, sockets and tabs in one place; frames arrive at once. */
class World {
  session = new Session("epoch1", [], { events: 5, length: 100_000, replay: 100_000 });
  tabs: Tab[] = ["a", "b", "c"].map((name) => ({
    name,
    socket: undefined,
    epoch: undefined,
    seq: 0,
    shown: new Map(),
    closed: [],
  }));
  asked = new Map<string, Asked>();
  wrong: string[] = [];
  #names = 0;

  carryOut(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === "settle") this.asked.get(effect.questionId)!.outcomes.push(effect.outcome);
      if (effect.kind === "close")
        for (const tab of this.tabs) if (tab.socket === effect.socket) tab.socket = undefined;
      if (effect.kind === "send")
        this.hear(
          this.tabs.find((tab) => tab.socket === effect.socket)!,
          effect.text,
        );
    }
  }

  hear(tab: Tab, text: string): void {
    const frame = JSON.parse(text) as ServerFrame;
    if (frame.kind === "signed-out") return;
    tab.seq = frame.seq;
    if (frame.kind === "welcome") {
      tab.epoch = frame.epoch;
      // What waits is what the welcome says; whatever else was shown is over.
      tab.shown = new Map(frame.calls.map(({ call }) => [call!.id, call!]));
    } else if (frame.data.type === "call:closed") {
      const { call_id: id } = frame.data.data as { call_id: string };
      tab.shown.delete(id);
      tab.closed.push(id);
    } else if (frame.call) tab.shown.set(frame.call.id, frame.call);
  }

  connect(tab: Tab): void {
    this.drop(tab);
    this.#names += 1;
    tab.socket = `socket${this.#names}`;
    this.carryOut(this.session.open(tab.socket, { userId: "u", kind: "session", id: `session-${tab.name}` }));
    const known = tab.epoch === undefined ? {} : { epoch: tab.epoch, since: tab.seq };
    this.carryOut(this.session.receive(tab.socket, JSON.stringify({ kind: "hello", ...known }), 0));
  }

  drop(tab: Tab): void {
    if (tab.socket !== undefined) this.session.closed(tab.socket);
    tab.socket = undefined;
  }

  ask(type: Asked["type"]): void {
    this.#names += 1;
    const id = `call${this.#names}`;
    this.asked.set(id, { type, outcomes: [], taken: [] });
    for (let time = 0; time < 2; time++)
      this.carryOut(this.session.ask({ data: { type, data: {} } }, { id, expires_at: 300 }));
  }

  nth(pick: number): string | undefined {
    return [...this.asked.keys()][pick % Math.max(1, this.asked.size)];
  }

  /** @param tab undefined: not over a socket */
  answer(tab: Tab | undefined, pick: number, value: unknown): void {
    const id = this.nth(pick);
    if (id === undefined) return;
    const waits = this.session.questions.some(({ call }) => call?.id === id);
    const before = this.asked.get(id)!.outcomes.length;
    if (tab) {
      if (tab.socket === undefined) return;
      this.carryOut(this.session.receive(tab.socket, JSON.stringify({ kind: "answer", call_id: id, value }), 0));
    } else {
      const { answered, effects } = this.session.answer(id, { value });
      if ((answered === "unknown") === waits) this.wrong.push(`${id} was ${answered}`);
      this.carryOut(effects);
    }
    const asked = this.asked.get(id)!;
    if (asked.outcomes.length > before) asked.taken.push(value);
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant("ask" as const), type: fc.constantFrom("confirmation", "input", "execute") }),
  fc.record({
    kind: fc.constant("answer" as const),
    tab: fc.nat(3),
    pick: fc.nat(9),
    value: fc.constantFrom(true, false, "text", null, 3),
  }),
  fc.record({
    kind: fc.constantFrom("connect" as const, "drop" as const, "look" as const, "revoke" as const),
    tab: fc.nat(2),
  }),
  fc.record({ kind: fc.constantFrom("timeout" as const, "stopped" as const, "unseen" as const), pick: fc.nat(9) }),
  fc.record({ kind: fc.constant("publish" as const) }),
);

function run(world: World, at: typeof step extends fc.Arbitrary<infer T> ? T : never): void {
  switch (at.kind) {
    case "ask":
      return world.ask(at.type as Asked["type"]);
    case "answer":
      return world.answer(world.tabs[at.tab], at.pick, at.value);
    case "connect":
      return world.connect(world.tabs[at.tab]!);
    case "drop":
      return world.drop(world.tabs[at.tab]!);
    case "look": {
      const { socket } = world.tabs[at.tab]!;
      if (socket !== undefined)
        world.carryOut(world.session.receive(socket, JSON.stringify({ kind: "visible", visible: true }), 0));
      return;
    }
    case "revoke":
      return world.carryOut(world.session.revoke("ended", `session-${world.tabs[at.tab]!.name}`));
    case "publish":
      return world.carryOut(world.session.publish({ data: { type: "x", data: 1 } }));
    case "unseen": {
      const id = world.nth(at.pick);
      if (id !== undefined) world.carryOut(world.session.closeUnseen(id));
      return;
    }
    default: {
      const id = world.nth(at.pick);
      if (id !== undefined) world.carryOut(world.session.closeQuestion(id, at.kind));
    }
  }
}

describe("every question", () => {
  it("is settled at most once, by the first answer that fits, and every tab that is open shows what waits", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
        const world = new World();
        for (const each of steps) run(world, each);
        const waiting = world.session.questions.map(({ call }) => call!.id);
        const all = [...world.asked.entries()];
        expect(all.map(([, { outcomes }]) => outcomes.length)).toEqual(
          all.map(([id]) => (waiting.includes(id) ? 0 : 1)),
        );
        expect(all.filter(([, { taken }]) => taken.length > 1)).toEqual([]);
        // What whoever asked gets is the one answer that was taken.
        const answered = all.flatMap(
          ([
            ,
            {
              type,
              outcomes: [outcome],
              taken,
            },
          ]) => (outcome?.kind === "value" ? [{ type, got: outcome.value, taken: taken[0] }] : []),
        );
        expect(answered.map(({ got }) => got)).toEqual(
          answered.map(({ type, taken }) => (type === "input" ? (taken ?? false) : taken)),
        );
        const confirmed = answered.filter(({ type }) => type === "confirmation");
        expect(confirmed.filter(({ got }) => typeof got !== "boolean")).toEqual([]);
        expect(world.wrong).toEqual([]);
        const open = world.tabs.filter(({ socket }) => socket !== undefined);
        for (const tab of open) expect([...tab.shown.keys()].sort()).toEqual(waiting.toSorted());
        // Code is for one tab, the same for all who look; where that tab is gone, the next one that shows itself takes it.
        const code = () => world.session.questions.filter(({ data }) => data.type === "execute");
        for (const { call } of code()) for (const tab of open) expect(tab.shown.get(call!.id)!.tab).toBe(call!.tab);
        if (open.length === 0) return;
        run(world, { kind: "look", tab: world.tabs.indexOf(open[0]!) });
        for (const { call } of code()) expect(open.map(({ socket }) => socket)).toContain(call!.tab);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a question", () => {
  const execute: LiveEvent = { data: { type: "execute", data: { code: "1" } } };
  const call = { id: "c", expires_at: 300 };
  const greeted = (session: Session, id: string, now = 0) => {
    session.open(id, { userId: "u", kind: "session", id });
    session.receive(id, JSON.stringify({ kind: "hello" }), now);
  };

  it("goes to the tab that the person looks at, where it is for one tab", () => {
    const session = new Session("e");
    greeted(session, "one");
    greeted(session, "two");
    session.receive("one", JSON.stringify({ kind: "visible", visible: true }), 100);
    session.ask(execute, call);
    expect(session.questions[0]!.call!.tab).toBe("one");
    session.closed("one");
    session.receive("two", JSON.stringify({ kind: "visible", visible: false }), 100);
    expect(session.questions[0]!.call!.tab).toBe("one");
    greeted(session, "three");
    expect(session.questions[0]!.call!.tab).toBe("three");
  });

  it("that no tab has seen is closed as such, and no other", () => {
    const session = new Session("e");
    session.open("mute", { userId: "u", kind: "session", id: "mute" });
    session.ask(execute, call);
    session.ask({ data: { type: "input", data: {} } }, { id: "d", expires_at: 300 });
    expect(session.closeUnseen("c")).toEqual([
      { kind: "settle", questionId: "c", outcome: { kind: "closed", reason: "no_client" } },
    ]);
    greeted(session, "one");
    expect(session.closeUnseen("d")).toEqual([]);
    expect(session.questions).toHaveLength(1);
  });

  it("is not answered by a socket that has not said hello, or has been closed", () => {
    const session = new Session("e");
    greeted(session, "one");
    session.ask({ data: { type: "confirmation", data: {} } }, call);
    const answer = JSON.stringify({ kind: "answer", call_id: "c", value: true });
    session.open("mute", { userId: "u", kind: "session", id: "mute" });
    expect(session.receive("mute", answer, 0)).toEqual([]);
    session.revoke("ended", "one");
    expect(session.receive("one", answer, 0)).toEqual([]);
    expect(session.questions).toHaveLength(1);
    expect(session.isAnswer(answer)).toBe(true);
    expect(session.isAnswer(JSON.stringify({ kind: "answer", call_id: "x", value: true }))).toBe(false);
  });

  it("is not answered by what is nested too deep to be told to anyone", () => {
    const session = new Session("e");
    greeted(session, "one");
    session.ask(execute, call);
    const deep = `{"kind":"answer","call_id":"c","value":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    expect(session.isAnswer(deep)).toBe(false);
    expect(session.receive("one", deep, 0)).toMatchObject([{ kind: "close", socket: "one" }]);
    expect(session.questions).toHaveLength(1);
  });

  it("tells why code did not run", () => {
    const session = new Session("e");
    greeted(session, "one");
    session.ask(execute, call);
    const { answered, effects } = session.answer("c", { error: "x is not defined" });
    expect(answered).toBe("answered");
    expect(effects[0]).toEqual({
      kind: "settle",
      questionId: "c",
      outcome: { kind: "failed", message: "x is not defined" },
    });
  });
});
