import { expect, test } from "vitest";
import { inOrder } from "../../../src/ui/lib/in-order.ts";

test("each request goes when the one before has its answer, also a failed one, and its own answer is the caller's", async () => {
  const inTurn = inOrder();
  const said: string[] = [];
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const answers = [
    inTurn(() => (said.push("first"), first.promise)),
    inTurn(() => (said.push("second"), second.promise)),
    inTurn(async () => (said.push("third"), "c")),
  ].map((answer) => answer.catch((error: Error) => error.message));
  await Promise.resolve();
  expect(said).toEqual(["first"]);
  first.reject(new Error("a"));
  expect(await answers[0]).toBe("a");
  await expect.poll(() => said).toEqual(["first", "second"]);
  second.resolve("b");
  expect(await Promise.all(answers)).toEqual(["a", "b", "c"]);
  expect(said).toEqual(["first", "second", "third"]);
});

test("orders that do not belong together do not wait for each other", async () => {
  void inOrder()(() => new Promise(() => undefined));
  expect(await inOrder()(() => Promise.resolve(1))).toBe(1);
});
