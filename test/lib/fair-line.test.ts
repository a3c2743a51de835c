import { expect, test } from "vitest";
import { FairLine } from "../../src/lib/fair-line.ts";

const limits = { maxPersonWeight: 2, freeWeight: 0, maxPersonWaiting: 3, maxWaitMs: 60_000 };
const never = new AbortController().signal;

test("a person has so many places, the others do not wait for them, and each gives way to the next in order", async () => {
  const line = new FairLine(limits);
  const entered: string[] = [];
  const enter = async (who: string, name: string) => {
    const place = await line.enter(who, 1, 10, never);
    entered.push(place ? name : `${name} refused`);
    return place;
  };
  const [first, second] = await Promise.all([enter("ada", "a1"), enter("ada", "a2")]);
  const waiting = [enter("ada", "a3"), enter("ada", "a4"), enter("ada", "a5")];
  await enter("ada", "a6");
  await enter("bob", "b1");
  expect(entered).toEqual(["a1", "a2", "a6 refused", "b1"]);
  first!.free();
  await waiting[0];
  second!.free();
  await waiting[1];
  expect(entered.slice(4)).toEqual(["a3", "a4"]);
  (await waiting[0])!.free();
  await waiting[2];
  expect(entered.at(-1)).toBe("a5");
});

test("all together have so many places, and somebody who goes leaves the line", async () => {
  const line = new FairLine(limits);
  const place = await line.enter("ada", 1, 1, never);
  const leaving = new AbortController();
  const left = line.enter("bob", 1, 1, leaving.signal);
  const next = line.enter("eve", 1, 1, never);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  place!.free();
  expect(await next).toBeDefined();
});
