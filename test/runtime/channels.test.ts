import { abortAllDurableObjects, evictDurableObject, listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import type { ChannelEvent } from "../../src/channels/schema.ts";
import { channelMembers, channels } from "../../src/channels/tables.ts";
import type { ToldChannel } from "../../src/channels/tell-channel.ts";
import { newId } from "../../src/lib/id.ts";
import { organizations } from "../../src/people/organizations/tables.ts";
import { users } from "../../src/people/users/tables.ts";
import type { ServerFrame } from "../../src/shared/live-protocol.ts";
import type { Env } from "../../workers/env.ts";
import { createPerson, services, type LivePerson, type Tab } from "./live-world.ts";

const bindings = env as unknown as Env;
const home = "00000000-0000-7000-8000-000000000001";

/** A channel of these people, and ways to change who is in it. */
async function createChannel(people: readonly { id: string }[]) {
  const [id, now] = [newId(), Date.now()];
  const about = { kind: "private", name: id, createdAt: now, updatedAt: now } as const;
  await services.db.insert(channels).values({ id, organizationId: home, ...about });
  const add = async (more: readonly { id: string }[]) => {
    const rows = more.map(({ id: userId }) => ({ channelId: id, userId, joinedAt: now }));
    for (let at = 0; at < rows.length; at += 1000)
      await services.db.insert(channelMembers).values(rows.slice(at, at + 1000));
  };
  await add(people);
  const told = async (): Promise<ToldChannel> => {
    const [row] = await services.db.select().from(channels).where(eq(channels.id, id));
    return { id, organizationId: home, membersVersion: row!.membersVersion };
  };
  return {
    id,
    hub: bindings.CHANNEL_HUB.getByName(id),
    add,
    remove: ({ id: userId }: { id: string }) =>
      services.db
        .delete(channelMembers)
        .where(and(eq(channelMembers.channelId, id), eq(channelMembers.userId, userId))),
    told,
    /** Resolves when the channel was told, as after a transaction. */
    tell: async (event: ChannelEvent) => services.channels.tell(await told(), event),
  };
}

const deleted = (seq: number): ChannelEvent => ({ type: "channel:message:delete", data: { id: `m${seq}`, seq } });

/** Numbers of the messages that a tab was told of. */
function heard(tab: Tab): number[] {
  return tab.frames.flatMap((frame) =>
    frame.kind === "event" && frame.data.type === "channel:message:delete"
      ? [(frame.data.data as { seq: number }).seq]
      : [],
  );
}

const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 20_000, interval: 20 });
const isDelete = (seq: number) => (frame: ServerFrame) =>
  frame.kind === "event" &&
  frame.data.type === "channel:message:delete" &&
  (frame.data.data as { seq: number }).seq === seq;

async function openTab(person: LivePerson): Promise<Tab> {
  const tab = await person.open();
  await tab.hello();
  return tab;
}

async function createPeople(count: number): Promise<LivePerson[]> {
  return Promise.all(Array.from({ length: count }, () => createPerson()));
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe("what happens in a channel", () => {
  it("is told to every tab of its members, in order, and to nobody else", async () => {
    const [ada, grace, eve] = (await createPeople(3)) as [LivePerson, LivePerson, LivePerson];
    const channel = await createChannel([ada, grace]);
    const tabs = await Promise.all([ada, ada, ada, grace].map(openTab));
    const outside = await openTab(eve);
    const told = await channel.told();
    await Promise.all(numbers(1, 60).map((seq) => services.channels.tell(told, deleted(seq))));
    for (const tab of tabs) await until(() => heard(tab).length === 60);
    const [first] = tabs;
    // Calls of one Worker that are under way together come in any order; what counts is that all tabs see the same.
    expect(heard(first!).toSorted((a, b) => a - b)).toEqual(numbers(1, 60));
    for (const tab of tabs) expect(heard(tab)).toEqual(heard(first!));
    for (const seq of [61, 62, 63]) await services.channels.tell(told, deleted(seq));
    for (const tab of tabs) {
      await until(() => heard(tab).length === 63);
      expect(heard(tab).slice(-3)).toEqual([61, 62, 63]);
    }
    expect(first!.frames.at(-1)).toMatchObject({ channel_id: channel.id });
    expect(outside.frames.filter(({ kind }) => kind === "event")).toEqual([]);
  });

  it("is told to whoever is a member by then, and no longer", async () => {
    const [ada, grace] = (await createPeople(2)) as [LivePerson, LivePerson];
    const channel = await createChannel([ada]);
    const [one, two] = [await openTab(ada), await openTab(grace)];
    await channel.tell(deleted(1));
    await channel.add([grace]);
    await channel.tell(deleted(2));
    await two.next(isDelete(2));
    await channel.remove(ada);
    await channel.tell(deleted(3));
    await two.next(isDelete(3));
    // Word of what happened before comes late: who has gone is gone.
    await services.channels.tell({ ...(await channel.told()), membersVersion: 1 }, deleted(4));
    await two.next(isDelete(4));
    expect(heard(two)).toEqual([2, 3, 4]);
    expect(heard(one)).toEqual([1, 2]);
  });

  it("comes to a tab from its welcome on, without a gap, however many come and go", async () => {
    const people = await createPeople(12);
    const channel = await createChannel(people);
    let begun = 0;
    const over = new AbortController();
    const telling = (async () => {
      while (!over.signal.aborted) {
        begun += 1;
        // Each after a look into the database, as a post is: calls inside the process alone would leave sockets no turn.
        await channel.tell(deleted(begun));
      }
    })();
    const tabs = await Promise.all(
      people.map(async (person, number) => {
        // Some have been there and gone before.
        if (number % 3 === 0) (await openTab(person)).close();
        const tab = await openTab(person);
        return { tab, from: begun + 1 };
      }),
    );
    const enough = begun + 20;
    await until(() => begun >= enough).finally(() => over.abort());
    await telling;
    for (const { tab, from } of tabs) {
      await tab.next(isDelete(begun));
      expect(heard(tab).filter((seq) => seq >= from)).toEqual(numbers(from, begun));
    }
  });

  it("is told again after the channel's object, or everything, has gone", async () => {
    const person = await createPerson();
    const channel = await createChannel([person]);
    const tab = await openTab(person);
    await channel.tell(deleted(1));
    await evictDurableObject(channel.hub);
    await channel.tell(deleted(2));
    await evictDurableObject(bindings.OPEN_DIRECTORY.getByName("directory"));
    await channel.tell(deleted(3));
    await tab.next(isDelete(3));
    expect(heard(tab)).toEqual([1, 2, 3]);
    await abortAllDurableObjects();
    const again = await openTab(person);
    await channel.tell(deleted(5));
    await again.next(isDelete(5));
  });

  it("is told, or has to be loaded again, when the person's object has gone, however busy the channel is", async () => {
    for (const events of [1, 5]) {
      const person = await createPerson();
      const channel = await createChannel([person]);
      const tab = await openTab(person);
      for (const seq of numbers(1, events)) await channel.tell(deleted(seq));
      await tab.next(isDelete(events));
      await evictDurableObject(person.coordinator);
      await channel.tell(deleted(events + 1));
      await tab.next((frame) => frame.kind === "welcome" || isDelete(events + 1)(frame));
      await channel.tell(deleted(events + 2));
      await tab.next(isDelete(events + 2));
      expect(heard(tab).at(-1)).toBe(events + 2);
    }
  });

  it("wakes those of five thousand members who have something open, and nobody else", async () => {
    const people = await createPeople(5);
    const now = services.now();
    const others = Array.from({ length: 4995 }, () => ({ id: newId() }));
    for (let at = 0; at < others.length; at += 500)
      await services.db.insert(users).values(
        others.slice(at, at + 500).map(({ id }) => ({
          id,
          email: `${id}@harbour.example`,
          name: "Member",
          role: "user" as const,
          active: true,
          organizationId: home,
          lastActiveAt: now,
          createdAt: now,
          updatedAt: now,
        })),
      );
    const channel = await createChannel([...people, ...others]);
    const tabs = await Promise.all(people.map(openTab));
    const before = (await listDurableObjectIds(bindings.SESSION_COORDINATOR)).length;
    for (const seq of [1, 2, 3]) await channel.tell(deleted(seq));
    for (const tab of tabs) {
      await tab.next(isDelete(3));
      expect(heard(tab)).toEqual([1, 2, 3]);
    }
    expect(await listDurableObjectIds(bindings.SESSION_COORDINATOR)).toHaveLength(before);
  }, 120_000);
});

describe("whoever may not hear channels", () => {
  it("is told nothing while it is so", async () => {
    const [ada, grace] = (await createPeople(2)) as [LivePerson, LivePerson];
    const channel = await createChannel([ada, grace]);
    const [tab, other] = [await openTab(ada), await openTab(grace)];
    await channel.tell(deleted(1));
    await tab.next(isDelete(1));
    const [id, now] = [newId(), services.now()];
    const features = { channels: false };
    await services.db.insert(organizations).values({ id, name: id, features, createdAt: now, updatedAt: now });
    await services.db.update(organizations).set({ features }).where(eq(organizations.id, home));
    try {
      await services.live.recheck([ada.id]);
      await tab.event("session:changed");
      await channel.tell(deleted(2));
      await other.next(isDelete(2));
    } finally {
      await services.db.update(organizations).set({ features: {} }).where(eq(organizations.id, home));
    }
    await services.live.recheck([ada.id]);
    await tab.event("session:changed");
    await channel.tell(deleted(3));
    await tab.next(isDelete(3));
    expect(heard(tab)).toEqual([1, 3]);
  });

  it("hears nothing of another organization than the present one", async () => {
    const person = await createPerson();
    const tab = await openTab(person);
    const news = { userId: person.id, isWhole: true };
    await person.coordinator.hear({ ...news, organizationId: newId(), events: [JSON.stringify({ data: deleted(1) })] });
    await person.coordinator.hear({ ...news, organizationId: home, events: [JSON.stringify({ data: deleted(2) })] });
    await tab.next(isDelete(2));
    expect(heard(tab)).toEqual([2]);
  });

  it("has their tabs load again when something could not be told, also those that come back", async () => {
    const person = await createPerson();
    const [tab, away] = [await openTab(person), await person.open()];
    const { epoch, seq } = await away.hello();
    away.close();
    await person.coordinator.hear({ userId: person.id, organizationId: home, events: [], isWhole: false });
    expect(await tab.next(({ kind }) => kind === "welcome")).toMatchObject({ replayed: false });
    expect((await (await person.open()).hello({ epoch, since: seq })).replayed).toBe(false);
  });
});

describe("typing", () => {
  const isTyping = (frame: ServerFrame) => frame.kind === "event" && frame.data.type === "channel:typing";

  it("is seen by the other members, not too often, and only of members", async () => {
    const [ada, grace, eve] = (await createPeople(3)) as [LivePerson, LivePerson, LivePerson];
    const channel = await createChannel([ada, grace]);
    const [writer, reader, stranger] = [await openTab(ada), await openTab(grace), await openTab(eve)];
    const say = (tab: Tab, parent: string | null = null, channelId = channel.id) =>
      tab.send({ kind: "typing", channel_id: channelId, parent_id: parent });
    say(stranger);
    for (let time = 0; time < 10; time++) say(writer);
    expect(await reader.next(isTyping)).toMatchObject({
      channel_id: channel.id,
      data: { data: { user: { id: ada.id, name: "Ada" }, parent_id: null } },
    });
    say(writer, null, newId());
    say(writer, "thread");
    expect(await reader.next(isTyping)).toMatchObject({ data: { data: { parent_id: "thread" } } });
    await channel.tell(deleted(1));
    for (const tab of [writer, reader]) await tab.next(isDelete(1));
    expect(reader.frames.filter(isTyping)).toHaveLength(2);
  });
});

describe("the text of a model's answer", () => {
  it("comes in few pieces that make it whole, before whatever follows", async () => {
    const person = await createPerson();
    const channel = await createChannel([person]);
    const tab = await openTab(person);
    const told = await channel.told();
    const words = numbers(1, 200).map((number) => `${number} `);
    let at = 0;
    const telling = words.map((text) => {
      const event: ChannelEvent = { type: "channel:message:delta", data: { id: "m", at, text } };
      at += text.length;
      return services.channels.tell(told, event);
    });
    await Promise.all(telling);
    await services.channels.tell(told, deleted(1));
    await tab.next(isDelete(1));
    const pieces = tab.frames.flatMap((frame) =>
      frame.kind === "event" && frame.data.type === "channel:message:delta"
        ? [frame.data.data as { at: number; text: string }]
        : [],
    );
    expect(pieces.length).toBeLessThan(50);
    const text = pieces.reduce((sofar, piece) => sofar.slice(0, piece.at) + piece.text, "");
    expect(text).toBe(words.join(""));
  });
});
