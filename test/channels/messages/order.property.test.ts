import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HistoryPage } from "../../../src/channels/messages/schema.ts";
import type { ChannelMessage } from "../../../src/channels/schema.ts";
import { createTimeline } from "../../../src/ui/features/channels/merge-messages.ts";
import { createTalk } from "./talk.ts";

let talk: Awaited<ReturnType<typeof createTalk>>;

beforeAll(async () => {
  talk = await createTalk();
});
afterAll(() => talk.close());

type Act =
  | { act: "post"; who: number; parent: number | undefined; key: number | undefined }
  | { act: "edit" | "delete" | "react" | "unreact" | "pin"; who: number; target: number };

const who = fc.nat({ max: 2 });
const target = fc.nat({ max: 7 });
const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("post"),
      who,
      parent: fc.option(target, { nil: undefined }),
      key: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom("edit", "delete", "react", "unreact", "pin"), who, target }),
  },
);

/** What does not depend on who looks. */
const plain = (message: ChannelMessage) => ({
  ...message,
  temp_id: undefined,
  reactions: message.reactions.map((reaction) => ({ ...reaction, mine: false })),
});

describe("whatever several people do at the same time", () => {
  test("numbers have no gaps, and every reader and every tab sees the same", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(acts, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 100_000 }),
        async (rounds, seed) => {
          const { world, ada, grace, post, change, remove, get, told } = await talk.begin();
          const people = [ada, grace, await world.person()];
          const posted: string[] = [];
          const answers: number[] = [];
          const at = (index: number) => posted[index % Math.max(1, posted.length)] ?? "nothing";
          const run = async (one: Act, turn: string) => {
            const as = people[one.who]!;
            if (one.act === "post") {
              const parent_id = one.parent === undefined ? undefined : at(one.parent);
              const { status, body } = await post(as, {
                content: turn,
                parent_id,
                temp_id: one.key === undefined ? undefined : `k${one.key}`,
              });
              answers.push(status);
              return status === 200 ? body.id : undefined;
            }
            const id = at(one.target);
            const { status } = await (one.act === "edit"
              ? change(as, `${id}/update`, { content: `${turn} edited` })
              : one.act === "delete"
                ? remove(as, id)
                : one.act === "pin"
                  ? change(as, `${id}/pin`, { is_pinned: one.who > 0 })
                  : change(as, `${id}/reactions/${one.act === "react" ? "add" : "remove"}`, { name: "👍" }));
            answers.push(status);
            return undefined;
          };
          for (const [turn, round] of rounds.entries()) {
            const ids = await Promise.all(round.map((one, index) => run(one, `${turn}.${index}`)));
            for (const id of ids) if (id !== undefined && !posted.includes(id)) posted.push(id);
          }
          expect([200, 403, 404]).toEqual(expect.arrayContaining([...new Set(answers)]));
          const events = await told();
          const history = async (as: typeof ada, more = "") =>
            (await get<HistoryPage>(as, `history?limit=100${more}`)).body;
          const [mine, ...theirs] = await Promise.all(people.map((as) => history(as)));
          for (const other of theirs) expect(other.messages.map(plain)).toEqual(mine!.messages.map(plain));

          // Every number is taken once: by a message that is told of, and only once.
          const numbers = events.flatMap((event) => (event.type === "channel:message" ? [event.data.message.seq] : []));
          expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: posted.length }, (_, index) => index + 1));
          expect(mine!.head).toBe(posted.length);

          // A tab that began before everything, and heard it in any order, shows what is loaded now.
          const timeline = createTimeline({ parentId: null, reader: ada.id });
          timeline.addPage({ messages: [], from: 0, to: 0, head: 0 });
          for (const event of shuffled(events, seed)) timeline.receive(event);
          expect(timeline.view().messages.map(plain)).toEqual(mine!.messages.map(plain));
          expect(timeline.view().hasAfter).toBe(false);

          // Threads say what their heads say of them.
          for (const head of mine!.messages) {
            const replies = (await history(ada, `&parent_id=${head.id}`)).messages.slice(1);
            expect(replies).toHaveLength(head.reply_count);
            expect(head.latest_reply_at ?? 0).toBe(Math.max(0, ...replies.map((answer) => answer.created_at)));
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

/** The same list in another order, which depends on nothing but the seed. */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  const order = list.map((item, index) => ({ item, by: ((index + 1) * 7919 * (seed + 3)) % 104_729 }));
  return order.sort((a, b) => a.by - b.by).map(({ item }) => item);
}
