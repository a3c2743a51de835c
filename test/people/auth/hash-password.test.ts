import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  hashPassword,
  passwordCost,
  requireAcceptablePassword,
  verifyPassword,
} from "../../../src/people/auth/passwords/hash-password.ts";
import { takeTurn } from "../../../src/people/auth/passwords/take-turn.ts";

const cheap = { ln: 4, r: 8, p: 1 };

describe("a password hash", () => {
  test("costs what OWASP recommends, and holds its parameters and a salt of its own", async () => {
    const [one, other] = await Promise.all([
      hashPassword("correct horse", passwordCost),
      hashPassword("correct horse", passwordCost),
    ]);
    expect(one).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword("correct horse", one, passwordCost)).toEqual({ right: true, outdated: false });
    expect(await verifyPassword("correct horsf", one, passwordCost)).toEqual({ right: false, outdated: false });
  });

  test("made at another cost is still checked, and said to be outdated", async () => {
    expect(await verifyPassword("x", await hashPassword("x", { ...cheap, ln: 5 }), cheap)).toEqual({
      right: true,
      outdated: true,
    });
  });

  test.each([null, "", "x", "$2b$10$abcdefghijklmnopqrstuv", "$scrypt$ln=4,r=8,p=1$AAAA"])(
    "like %j fits no password",
    async (stored) => {
      expect((await verifyPassword("", stored, cheap)).right).toBe(false);
      expect((await verifyPassword("x", stored, cheap)).right).toBe(false);
    },
  );

  test("fits its own password and no other", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, unit: "grapheme" }),
        fc.string({ unit: "grapheme" }),
        async (password, other) => {
          const stored = await hashPassword(password, cheap);
          expect((await verifyPassword(password, stored, cheap)).right).toBe(true);
          expect((await verifyPassword(other, stored, cheap)).right).toBe(
            other.normalize("NFC") === password.normalize("NFC"),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each(["x".repeat(1024), "é".repeat(512), " "])("may be of %s", (password) => {
    expect(() => requireAcceptablePassword(password)).not.toThrow();
  });
});

describe("hashing in turn", () => {
  test("runs one after the other, in order of arrival, and goes on after a failure", async () => {
    let running = 0;
    let most = 0;
    const started: number[] = [];
    const work = (index: number) => async () => {
      started.push(index);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      if (index === 1) throw new Error("broken");
      return index;
    };
    const results = await Promise.allSettled([0, 1, 2, 3, 4].map((index) => takeTurn(work(index))));
    expect(most).toBe(1);
    expect(started).toEqual([0, 1, 2, 3, 4]);
    const outcomes = ["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"];
    expect(results.map((result) => result.status)).toEqual(outcomes);
  });

  test("leaves room between two for everything else", async () => {
    const times: [start: number, end: number][] = [];
    const busy = async () => {
      const start = performance.now();
      while (performance.now() - start < 40);
      times.push([start, performance.now()]);
    };
    await Promise.all([takeTurn(busy), takeTurn(busy)]);
    expect(times[1]![0] - times[0]![1]).toBeGreaterThanOrEqual(15);
  });

  test("passes over somebody who is gone without a word", async () => {
    vi.useFakeTimers();
    try {
      void takeTurn(() => new Promise(() => {}));
      const next = takeTurn(async () => "next");
      await vi.advanceTimersByTimeAsync(6000);
      await expect(next).resolves.toBe("next");
    } finally {
      vi.useRealTimers();
    }
  });

  test("turns people away when a hundred are waiting, and says when to come back", async () => {
    vi.useFakeTimers();
    try {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const waiting = Array.from({ length: 100 }, () => takeTurn(() => held));
      await expect(takeTurn(() => held)).rejects.toMatchObject({ code: "too_many_requests", retryAfter: 5 });
      release();
      await vi.advanceTimersByTimeAsync(60_000);
      await Promise.all(waiting);
      await expect(takeTurn(async () => "next")).resolves.toBe("next");
    } finally {
      vi.useRealTimers();
    }
  });
});
