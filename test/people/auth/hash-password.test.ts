import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { checkOldHash } from "../../../src/people/auth/passwords/check-old-hash.ts";
import {
  isAffordable,
  passwordCostOf,
  passwordCosts,
  passwordCostWarnings,
} from "../../../src/people/auth/passwords/cost.ts";
import { maxInShare } from "../../../src/people/auth/passwords/hash-line.ts";
import {
  hashPassword,
  isOwnHash,
  requireAcceptablePassword,
  verifyPassword,
} from "../../../src/people/auth/passwords/hash-password.ts";
import { scrypt } from "../../../src/people/auth/passwords/scrypt.ts";
import { takeTurn } from "../../../src/people/auth/passwords/take-turn.ts";

const cheap = { scrypt, checkOldHash, passwordCost: { ln: 4, r: 8, p: 1 } };
const place = { lane: "strangers", share: "" } as const;

describe("a password hash", () => {
  test("costs what OWASP recommends, and holds its parameters and a salt of its own", async () => {
    const services = { scrypt, checkOldHash, passwordCost: passwordCostOf() };
    const [one, other] = await Promise.all([
      hashPassword(services, "correct horse", place),
      hashPassword(services, "correct horse", place),
    ]);
    expect(one).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword(services, "correct horse", one, place)).toEqual({ right: true, outdated: false });
    expect(await verifyPassword(services, "correct horsf", one, place)).toEqual({ right: false, outdated: false });
  });

  test("made at another cost is still checked, and said to be outdated", async () => {
    const dearer = { scrypt, checkOldHash, passwordCost: { ln: 5, r: 8, p: 1 } };
    expect(await verifyPassword(cheap, "x", await hashPassword(dearer, "x", place), place)).toEqual({
      right: true,
      outdated: true,
    });
  });

  test.each([
    [14, 5],
    [15, 4],
    [16, 2],
  ])("can cost 2^%i, and is still one of our own", async (ln, p) => {
    const services = { scrypt, checkOldHash, passwordCost: passwordCostOf(ln) };
    const made = await hashPassword(services, "correct horse", place);
    expect(made).toContain(`$scrypt$ln=${ln},r=8,p=${p}$`);
    expect(await verifyPassword(services, "correct horse", made, place)).toEqual({ right: true, outdated: false });
    expect(isOwnHash(made)).toBe(true);
    expect(isOwnHash(made.replace(`p=${p}`, `p=${p + 1}`))).toBe(false);
  });

  test.each([
    { ln: 17, r: 8, p: 1 },
    { ln: 14, r: 9, p: 1 },
    { ln: 16, r: 8, p: 3 },
    { ln: 0, r: 8, p: 1 },
    { ln: 14, r: 0, p: 1 },
    { ln: 14, r: 8, p: 0 },
    { ln: Number.NaN, r: 8, p: 1 },
  ])("of $ln, $r and $p is too much, or none", (cost) => {
    expect(isAffordable(cost)).toBe(false);
  });

  test("that costs less than usual is warned of at the start", () => {
    expect(passwordCostWarnings()).toEqual([]);
    expect(passwordCostWarnings(passwordCosts.usual + 1)).toEqual([]);
    expect(passwordCostWarnings(passwordCosts.least)).toEqual([
      "PASSWORD_COST is 10: passwords from a stolen database are easier to guess. Use at least 14, except in tests",
    ]);
  });

  test.each([null, "", "x", "$2b$10$abcdefghijklmnopqrstuv", "$scrypt$ln=4,r=8,p=1$AAAA"])(
    "like %j fits no password",
    async (stored) => {
      expect((await verifyPassword(cheap, "", stored, place)).right).toBe(false);
      expect((await verifyPassword(cheap, "x", stored, place)).right).toBe(false);
    },
  );

  test("fits its own password and no other", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, unit: "grapheme" }),
        fc.string({ unit: "grapheme" }),
        async (password, other) => {
          const stored = await hashPassword(cheap, password, place);
          expect((await verifyPassword(cheap, password, stored, place)).right).toBe(true);
          expect((await verifyPassword(cheap, other, stored, place)).right).toBe(
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
    const results = await Promise.allSettled([0, 1, 2, 3, 4].map((index) => takeTurn(place, work(index))));
    expect(most).toBe(1);
    expect(started).toEqual([0, 1, 2, 3, 4]);
    const outcomes = ["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"];
    expect(results.map((result) => result.status)).toEqual(outcomes);
  });

  test("passes over somebody who is gone without a word", async () => {
    vi.useFakeTimers();
    try {
      void takeTurn(place, () => new Promise(() => {}));
      await vi.advanceTimersByTimeAsync(2000);
      const next = takeTurn(place, async () => "next");
      await vi.advanceTimersByTimeAsync(4500);
      await expect(next).resolves.toBe("next");
    } finally {
      vi.useRealTimers();
    }
  });

  test("turns people away when too many wait and when it takes too long, and says when to come back", async () => {
    vi.useFakeTimers();
    try {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const refusal = { code: "too_many_requests", retryAfter: 5 };
      const first = takeTurn(place, () => held);
      const waiting = Array.from({ length: maxInShare }, () => takeTurn(place, () => held));
      const ends = Promise.allSettled(waiting);
      await expect(takeTurn(place, () => held)).rejects.toMatchObject(refusal);
      await vi.advanceTimersByTimeAsync(15_100);
      release();
      // A turn that takes too long counts as gone after 6 s: two of them had theirs.
      const refused = (await ends).flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
      expect(refused).toHaveLength(maxInShare - 2);
      for (const reason of refused) expect(reason).toMatchObject(refusal);
      await first;
      await expect(takeTurn(place, async () => "next")).resolves.toBe("next");
    } finally {
      vi.useRealTimers();
    }
  });
});
