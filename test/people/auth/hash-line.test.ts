import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HashLine, type Place, type Ticket } from "../../../src/people/auth/passwords/hash-line.ts";

const place = (lane: Place["lane"], share = "a"): Place => ({ lane, share });
const strangers = (share: string) => place("strangers", share);
const anyPlace = fc.record({
  lane: fc.constantFrom<Place["lane"]>("known", "familiar", "strangers"),
  share: fc.constantFrom("a", "b", "c"),
});
/** Undefined: somebody's turn begins and ends. */
const anySteps = fc.array(fc.option(anyPlace, { nil: undefined, freq: 3 }), { maxLength: 150 });

/** Plays the steps, and then until nobody waits. `serve` tells whose turn it was, and who waited then, in the order they came. */
function play(steps: (Place | undefined)[], serve: (served: Ticket, waiting: Ticket[]) => void): number {
  const line = new HashLine(1000);
  const waiting: Ticket[] = [];
  let refused = 0;
  const turn = () => {
    const begun = waiting.filter((ticket) => line.begin(ticket, 0));
    expect(begun).toHaveLength(Math.min(1, waiting.length));
    const [served] = begun;
    if (!served) return;
    // Nobody else's begins before it ends.
    expect(waiting.some((ticket) => ticket !== served && line.begin(ticket, 0))).toBe(false);
    serve(served, [...waiting]);
    waiting.splice(waiting.indexOf(served), 1);
    line.leave(served);
  };
  for (const step of steps) {
    const ticket = step && line.join(step, 0);
    if (ticket) waiting.push(ticket);
    else if (step) {
      refused++;
      const lane = waiting.filter((other) => other.place.lane === step.lane);
      const share = lane.filter((other) => other.place.share === step.share);
      expect(lane.length === 20 || share.length === 10).toBe(true);
    } else turn();
    for (const { place: at } of waiting) {
      const lane = waiting.filter((other) => other.place.lane === at.lane);
      expect(lane.length).toBeLessThanOrEqual(20);
      expect(lane.filter((other) => other.place.share === at.share).length).toBeLessThanOrEqual(10);
    }
  }
  while (waiting.length > 0) turn();
  return refused;
}

describe("the line for hashing", () => {
  test("has one turn at a time and bounds, and whoever is in it gets a turn", () => {
    fc.assert(fc.property(anySteps, (steps) => void play(steps, () => undefined)));
  });

  test("lets each lane have a turn within five, whatever comes before it", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const passed = { known: 0, familiar: 0, strangers: 0 };
        play(steps, (served, waiting) => {
          for (const lane of ["known", "familiar", "strangers"] as const) {
            const isThere = waiting.some((ticket) => ticket.place.lane === lane);
            passed[lane] = isThere && served.place.lane !== lane ? passed[lane] + 1 : 0;
            expect(passed[lane]).toBeLessThan(5);
          }
        });
      }),
    );
  });

  test("goes round between the shares of a lane, and keeps the order within one", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        /** Who was served since a share that waits was served last, by lane and share. */
        const since = new Map<string, string[]>();
        play(steps, (served, waiting) => {
          const same = waiting.filter(({ place: at }) => at.lane === served.place.lane);
          expect(same.find(({ place: at }) => at.share === served.place.share)).toBe(served);
          for (const share of ["a", "b", "c"]) {
            const key = `${served.place.lane} ${share}`;
            const isThere = same.some(({ place: at }) => at.share === share);
            const others =
              isThere && share !== served.place.share ? [...(since.get(key) ?? []), served.place.share] : [];
            expect(new Set(others).size).toBe(others.length);
            since.set(key, others);
          }
        });
      }),
    );
  });

  test("serves known devices first, strangers every fourth turn", () => {
    const steps = [...Array<Place>(9).fill(strangers("a")), ...Array<Place>(9).fill(place("known"))];
    const order: string[] = [];
    play(steps, ({ place: { lane } }) => order.push(lane[0]!));
    expect(order.join("")).toBe("kkkskkkskkksssssss");
  });

  test("lets a stranger pass the crowd of another network", () => {
    const order: string[] = [];
    const refused = play([...Array<Place>(40).fill(strangers("attacker")), strangers("owner")], (served) =>
      order.push(served.place.share),
    );
    expect(refused).toBe(30);
    expect(order.indexOf("owner")).toBe(1);
  });

  test.each([1001, -1001])(
    "passes over those who have not looked for %i ms, and lets them in again at the end",
    (later) => {
      const line = new HashLine(10_000);
      const [gone, next] = [line.join(strangers("a"), 0)!, line.join(strangers("a"), 0)!];
      expect(line.begin(next, later)).toBe(true);
      expect(line.begin(gone, later)).toBe(false);
      line.leave(next);
      expect(line.begin(gone, later)).toBe(true);
    },
  );

  test("ends a turn that takes too long", () => {
    const line = new HashLine(1000);
    const [stuck, next] = [line.join(strangers("a"), 0)!, line.join(strangers("b"), 0)!];
    expect(line.begin(stuck, 0)).toBe(true);
    expect(line.begin(next, 1000)).toBe(false);
    expect(line.begin(next, 1001)).toBe(true);
    // It ends only its own turn.
    line.leave(stuck);
    const third = line.join(strangers("c"), 1001)!;
    expect(line.begin(third, 1001)).toBe(false);
  });
});
