import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  HashLine,
  maxInLane,
  maxInShare,
  type Place,
  type Ticket,
} from "../../../src/people/auth/passwords/hash-line.ts";

const place = (lane: Place["lane"], share = "a"): Place => ({ lane, share });
const strangers = (share: string) => place("strangers", share);
const anyPlace = fc.record({
  lane: fc.constantFrom<Place["lane"]>("known", "familiar", "strangers"),
  share: fc.constantFrom("a", "b", "c"),
});
/** Undefined: somebody's turn begins and ends. */
const anySteps = fc.array(fc.option(anyPlace, { nil: undefined, freq: 3 }), { maxLength: 400 });

/** Longest turn. */
const maxMs = 1000;

/** Whose turn it was, and who waited then, in the order they came. */
interface Turn {
  served: Ticket;
  waiting: Ticket[];
}

/** Plays the steps, and then until nobody waits. `wrong` names what must not happen. */
function play(steps: (Place | undefined)[]): { turns: Turn[]; refused: number; wrong: string[] } {
  const line = new HashLine();
  const waiting: Ticket[] = [];
  const turns: Turn[] = [];
  const wrong: string[] = [];
  let refused = 0;
  const countLike = ({ lane, share }: Place) => {
    const same = waiting.filter(({ place: at }) => at.lane === lane);
    return { lane: same.length, share: same.filter(({ place: at }) => at.share === share).length };
  };
  const turn = () => {
    const begun = waiting.filter((ticket) => line.begin(ticket, 0, maxMs));
    if (begun.length !== Math.min(1, waiting.length)) wrong.push(`${begun.length} turns began`);
    const [served] = begun;
    if (!served) return;
    if (waiting.some((ticket) => ticket !== served && line.begin(ticket, 0, maxMs))) wrong.push("another turn began");
    turns.push({ served, waiting: [...waiting] });
    waiting.splice(waiting.indexOf(served), 1);
    line.leave(served);
  };
  for (const step of steps) {
    if (!step) {
      turn();
      continue;
    }
    const before = countLike(step);
    const largest = Math.max(0, ...waiting.map(({ place: at }) => (at.lane === step.lane ? countLike(at).share : 0)));
    const isFull = before.share >= maxInShare || (before.lane >= maxInLane && largest <= before.share + 1);
    const ticket = line.join(step, 0);
    const out = waiting.filter(({ isRefused }) => isRefused);
    if (out.length !== (before.lane >= maxInLane && !isFull ? 1 : 0)) wrong.push(`${out.length} made room`);
    for (const each of out) waiting.splice(waiting.indexOf(each), 1);
    refused += out.length;
    if (ticket) waiting.push(ticket);
    else refused++;
    if (isFull !== (ticket === undefined)) wrong.push(`let in: ${!isFull}, with ${JSON.stringify(before)}`);
  }
  while (waiting.length > 0 && wrong.length === 0) turn();
  return { turns, refused, wrong };
}

describe("the line for hashing", () => {
  test("has one turn at a time and bounds, and whoever is in it gets a turn", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        expect(play(steps).wrong).toEqual([]);
      }),
    );
    expect(play(Array<Place>(maxInLane).fill(place("known")))).toMatchObject({
      refused: maxInLane - maxInShare,
      wrong: [],
    });
    const many = Array.from({ length: 2 * maxInLane }, (_, index) => strangers(`network ${index % 7}`));
    expect(play(many)).toMatchObject({ refused: maxInLane, wrong: [] });
  });

  test("lets each lane have a turn within five, whatever comes before it", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        for (const lane of ["known", "familiar", "strangers"] as const) {
          let passed = 0;
          for (const { served, waiting } of play(steps).turns) {
            const isThere = waiting.some((ticket) => ticket.place.lane === lane);
            passed = isThere && served.place.lane !== lane ? passed + 1 : 0;
            expect(passed).toBeLessThan(5);
          }
        }
      }),
    );
  });

  test("goes round between the shares of a lane, and keeps the order within one", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        /** Who was served since a share that waits was served last, by lane and share. */
        const since = new Map<string, string[]>();
        for (const { served, waiting } of play(steps).turns) {
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
        }
      }),
    );
  });

  test("serves known devices first, strangers every fourth turn", () => {
    const { turns } = play([...Array<Place>(9).fill(strangers("a")), ...Array<Place>(9).fill(place("known"))]);
    expect(turns.map(({ served }) => served.place.lane[0]).join("")).toBe("kkkskkkskkksssssss");
  });

  test("lets a stranger pass the crowd of another network", () => {
    const { turns, refused } = play([...Array<Place>(2 * maxInShare).fill(strangers("attacker")), strangers("owner")]);
    expect(refused).toBe(maxInShare);
    expect(turns.findIndex(({ served }) => served.place.share === "owner")).toBe(1);
  });

  test("lets a stranger in though two networks fill the lane: the larger one makes room", () => {
    const crowd = ["a", "b"].flatMap((share) => Array<Place>(maxInShare).fill(strangers(share)));
    const { turns, refused } = play([...crowd, strangers("owner")]);
    expect(refused).toBe(2 * maxInShare - maxInLane + 1);
    expect(turns.findIndex(({ served }) => served.place.share === "owner")).toBe(2);
  });

  test.each([1001, -1001])(
    "passes over those who have not looked for %i ms, and lets them in again at the end",
    (later) => {
      const line = new HashLine();
      const [gone, next] = [line.join(strangers("a"), 0)!, line.join(strangers("a"), 0)!];
      expect(line.begin(next, later, maxMs)).toBe(true);
      expect(line.begin(gone, later, maxMs)).toBe(false);
      line.leave(next);
      expect(line.begin(gone, later, maxMs)).toBe(true);
    },
  );

  test("ends a turn that takes too long", () => {
    const line = new HashLine();
    const [stuck, next] = [line.join(strangers("a"), 0)!, line.join(strangers("b"), 0)!];
    expect(line.begin(stuck, 0, maxMs)).toBe(true);
    expect(line.begin(next, 1000, maxMs)).toBe(false);
    expect(line.begin(next, 1001, maxMs)).toBe(true);
    // It ends only its own turn.
    line.leave(stuck);
    const third = line.join(strangers("c"), 1001)!;
    expect(line.begin(third, 1001, maxMs)).toBe(false);
  });

  test("lets a turn last as long as its own work may", () => {
    const line = new HashLine();
    const [long, next] = [line.join(strangers("a"), 0)!, line.join(strangers("b"), 0)!];
    expect(line.begin(long, 0, 20_000)).toBe(true);
    expect(line.begin(next, 20_000, maxMs)).toBe(false);
    expect(line.begin(next, 20_001, maxMs)).toBe(true);
  });
});
