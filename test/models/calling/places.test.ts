import { describe, expect, test } from "vitest";
import { createIsolate, failureOf, ok, textOf, until } from "./scripted-ways.ts";

describe("places", () => {
  /** Holds each of its calls until it is told to answer. */
  function holding() {
    const held: PromiseWithResolvers<Response>[] = [];
    const behaviour = () => {
      const next = Promise.withResolvers<Response>();
      held.push(next);
      return next.promise;
    };
    return { held, behaviour, answer: (at: number) => held[at]!.resolve(ok()) };
  }

  test("are as many as the policy says; who comes later waits in line, and in order", async () => {
    const { connect, call } = createIsolate();
    const { behaviour, held, answer } = holding();
    const one = connect([behaviour], { max_concurrent: 2 });
    const over: number[] = [];
    const calls = [0, 1, 2, 3].map(async (at) => {
      await textOf(call([one.way]));
      over.push(at);
    });
    await until(() => one.health().waiting === 2);
    expect(one.health()).toMatchObject({ in_flight: 2, waiting: 2 });
    expect(held).toHaveLength(2);
    for (let at = 0; at < 4; at++) {
      await until(() => held.length > at);
      answer(at);
      await until(() => over.length > at);
    }
    await Promise.all(calls);
    expect(over).toEqual([0, 1, 2, 3]);
    await until(() => one.health().in_flight === 0);
    expect(one.health()).toMatchObject({ waiting: 0, calls: 4 });
  });

  test("are held until the body is over", async () => {
    const { connect, call } = createIsolate();
    const one = connect([ok], { max_concurrent: 1, max_waiting: 0 });
    const answer = await call([one.way]);
    expect(await failureOf(call([one.way]))).toMatchObject({ status: 429 });
    await answer.text();
    await until(() => one.health().in_flight === 0);
    expect(await textOf(call([one.way]))).toBe("answer");
  });

  test("that are all taken, with a line that is full or too slow, are 429 with a time to come again", async () => {
    const { connect, call } = createIsolate();
    const { behaviour, answer } = holding();
    const one = connect([behaviour], { max_concurrent: 1, max_waiting: 1, max_wait: 0.15 });
    const first = call([one.way]);
    await until(() => one.health().in_flight === 1);
    const second = failureOf(call([one.way]));
    await until(() => one.health().waiting === 1);
    expect(await failureOf(call([one.way]))).toMatchObject({
      status: 429,
      type: "rate_limit_error",
      code: "too_many_requests",
      retryAfter: "1",
    });
    expect(await second).toMatchObject({ status: 429 });
    answer(0);
    expect(await textOf(first)).toBe("answer");
    expect(one.health()).toMatchObject({ failed: 0, waiting: 0 });
  });

  test("are left by who goes away, in line too", async () => {
    const { connect, call } = createIsolate();
    const { behaviour, answer } = holding();
    const one = connect([behaviour], { max_concurrent: 1 });
    const first = call([one.way]);
    await until(() => one.health().in_flight === 1);
    const leaves = new AbortController();
    const second = call([one.way], { signal: leaves.signal });
    await until(() => one.health().waiting === 1);
    leaves.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    expect(one.health().waiting).toBe(0);
    answer(0);
    await textOf(first);
    expect(one.asked).toHaveLength(1);
  });

  test("are taken at another connection at once, and waited for in all lines", async () => {
    const { connect, call } = createIsolate();
    const first = holding();
    const second = holding();
    const one = connect([first.behaviour], { max_concurrent: 1 });
    const two = connect([second.behaviour], { max_concurrent: 1 });
    const ways = [one.way, two.way];
    const calls = [call(ways), call(ways), call(ways)];
    await until(() => one.health().waiting === 1 && two.health().waiting === 1);
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
    second.answer(0);
    await (await calls[1]!).text();
    await until(() => two.asked.length === 2);
    expect([one.health().waiting, two.health().waiting]).toEqual([0, 0]);
    first.answer(0);
    second.answer(1);
    for (const each of [calls[0]!, calls[2]!]) expect(await textOf(each)).toBe("answer");
  });

  test("hold under a crowd: never more at once than there are, and everybody's turn comes", async () => {
    const { connect, call } = createIsolate();
    let running = 0;
    let most = 0;
    const one = connect(
      [
        async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          running--;
          return ok();
        },
      ],
      { max_concurrent: 3, max_waiting: 100 },
    );
    const texts = await Promise.all(Array.from({ length: 60 }, () => textOf(call([one.way]))));
    expect(new Set(texts)).toEqual(new Set(["answer"]));
    expect(most).toBeLessThanOrEqual(3);
    await until(() => one.health().in_flight === 0);
  });
});
