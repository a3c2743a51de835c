import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OpenQuestions } from "../../src/events/open-questions.ts";
import { Session, type Effect } from "../../src/events/session.ts";

let session: Session;
let questions: OpenQuestions;
/** How much holds the object. */
let held: number;

beforeEach(() => {
  vi.useFakeTimers();
  session = new Session("e");
  held = 0;
  const apply = (effects: readonly Effect[]) => {
    for (const effect of effects) if (effect.kind === "settle") questions.settle(effect.questionId, effect.outcome);
  };
  questions = new OpenQuestions(session, apply, () => {
    held += 1;
    return () => void (held -= 1);
  });
});
afterEach(() => void vi.useRealTimers());

/** Nothing is left behind, whatever came of the questions. */
const left = () => [held, vi.getTimerCount(), session.questions];

function greet(): void {
  session.open("tab", { userId: "u", kind: "session", id: "s" });
  session.receive("tab", JSON.stringify({ kind: "hello" }), 0);
}

const ask = (signal = new AbortController().signal, seconds = 300) =>
  questions.ask(
    { event: { data: { type: "confirmation", data: {} } }, id: "c", expiresAt: Date.now() + seconds * 1000 },
    signal,
  );
const say = (value: unknown) =>
  session.answer("c", { value }).effects.forEach((effect) => {
    if (effect.kind === "settle") questions.settle(effect.questionId, effect.outcome);
    expect(left()).toEqual([0, 0, []]);
  });

describe("whoever asks", () => {
  it("gets the answer, and the object is held meanwhile", async () => {
    greet();
    const asked = ask();
    expect(held).toBe(1);
    say(true);
    expect(await asked).toEqual({ kind: "value", value: true });
    expect(left()).toEqual([0, 0, []]);
  });

  it("hears after two seconds that nobody is there, but not where somebody has come", async () => {
    const unseen = ask();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await unseen).toEqual({ kind: "closed", reason: "no_client" });
    const seen = ask();
    await vi.advanceTimersByTimeAsync(1900);
    greet();
    session.closed("tab");
    await vi.advanceTimersByTimeAsync(290_000);
    expect(held).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await seen).toEqual({ kind: "closed", reason: "timeout" });
    expect(left()).toEqual([0, 0, []]);
  });

  it("takes the question away by stopping, also before it was asked", async () => {
    greet();
    const abort = new AbortController();
    const asked = ask(abort.signal);
    abort.abort();
    expect(await asked).toEqual({ kind: "closed", reason: "stopped" });
    expect(await ask(abort.signal)).toEqual({ kind: "closed", reason: "stopped" });
    expect(left()).toEqual([0, 0, []]);
  });

  it("may ask again under the same id: the question goes on, and the earlier one is let go", async () => {
    greet();
    const [first, second] = [ask(), ask()];
    expect(await first).toEqual({ kind: "closed", reason: "stopped" });
    expect([held, session.questions.length]).toEqual([1, 1]);
    say(false);
    expect(await second).toEqual({ kind: "value", value: false });
    expect(left()).toEqual([0, 0, []]);
  });
});
