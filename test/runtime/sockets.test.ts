import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { newId } from "../../src/lib/id.ts";
import { users } from "../../src/people/users/tables.ts";
import { OutgoingLink } from "../../workers/channels/outgoing-link.ts";
import type { Env } from "../../workers/env.ts";
import { maxWaitingBytes } from "../../workers/waiting-bytes.ts";
import { createPerson, services, type Tab } from "./live-world.ts";

const home = "00000000-0000-7000-8000-000000000001";
const say = (userId: string, type: string) => services.live.publish(userId, { data: { type, data: {} } });
const eventsOf = (tab: Tab) =>
  tab.frames.flatMap((frame) => (frame.kind === "event" ? [`${frame.seq} ${frame.data.type}`] : []));

describe("a socket", () => {
  it("may say hello once", async () => {
    const person = await createPerson();
    const [tab, other] = [await person.open(), await person.open()];
    await other.hello();
    const { epoch } = await tab.hello();
    await say(person.id, "before");
    await tab.event("before");
    tab.send({ kind: "hello", epoch, since: 0 });
    expect(await tab.untilClosed()).toEqual({ code: 1008, reason: "hello was said before" });
    expect(tab.frames).toHaveLength(2);
    await say(person.id, "after");
    await other.event("after");
    expect(eventsOf(tab)).toEqual(["1 before"]);
  });

  it("is closed when it sends too much, and comes back without a gap or a double event", async () => {
    const person = await createPerson();
    const [tab, other] = [await person.open(), await person.open()];
    await other.hello();
    const { epoch } = await tab.hello();
    await say(person.id, "one");
    await tab.event("one");
    for (let frame = 0; frame < 200; frame++) tab.send({ kind: "typing", channel_id: "none", parent_id: null });
    expect(await tab.untilClosed()).toEqual({ code: 1013, reason: "too many frames" });
    await say(person.id, "two");
    const back = await person.open();
    expect(await back.hello({ epoch, since: 1 })).toMatchObject({ replayed: true });
    await say(person.id, "three");
    await back.event("three");
    expect(eventsOf(back)).toEqual(["2 two", "3 three"]);
    await other.event("three");
    expect(eventsOf(other)).toEqual(["1 one", "2 two", "3 three"]);
  });

  it("may answer as many questions as it is asked", async () => {
    const person = await createPerson();
    const tab = await person.open();
    await tab.hello();
    const confirmation = { data: { type: "confirmation", data: {} } };
    for (let question = 0; question < 150; question++) {
      const asked = services.live.ask(person.id, confirmation, {
        timeoutMs: 60_000,
        signal: new AbortController().signal,
      });
      const { call } = await tab.event("confirmation");
      tab.send({ kind: "answer", call_id: call!.id, value: true });
      expect(await asked).toBe(true);
    }
    expect(tab.closed).toBeUndefined();
  });

  it("is closed when more waits for it than may, and loads again what it missed", async () => {
    const person = await createPerson();
    const tab = await person.open();
    const { epoch } = await tab.hello();
    // All at once, faster than any reader.
    const content = "x".repeat(1_000_000);
    const events = Array.from({ length: 12 }, (_, at) => JSON.stringify({ data: { type: `${at}`, data: content } }));
    await person.coordinator.hear({ userId: person.id, organizationId: home, isWhole: true, events });
    expect(await tab.untilClosed()).toEqual({ code: 1013, reason: "too many events wait to be read" });
    const heard = eventsOf(tab);
    expect(heard).toEqual(heard.map((_, at) => `${at + 1} ${at}`));
    expect(heard.length * content.length).toBeLessThanOrEqual(maxWaitingBytes + 2 * content.length);
    const back = await person.open();
    expect(await back.hello({ epoch, since: heard.length })).toMatchObject({ replayed: false, seq: 12 });
    await say(person.id, "later");
    await back.event("later");
    expect(eventsOf(back)).toEqual(["13 later"]);
  });

  it("gets no replay of more than 250,000 characters", async () => {
    const person = await createPerson();
    const [tab, all, some] = [await person.open(), await person.open(), await person.open()];
    const { epoch } = await tab.hello();
    for (let event = 0; event < 6; event++)
      await services.live.publish(person.id, { data: { type: "long", data: "x".repeat(60_000) } });
    expect(await all.hello({ epoch, since: 0 })).toMatchObject({ replayed: false });
    expect(await some.hello({ epoch, since: 2 })).toMatchObject({ replayed: true });
    await say(person.id, "end");
    await some.event("end");
    expect(eventsOf(some)).toEqual(["3 long", "4 long", "5 long", "6 long", "7 end"]);
  });
});

it("a channel's link breaks when more waits for it than may", () => {
  // Nobody has accepted the other end.
  const { 0: link } = new WebSocketPair();
  const onLost = vi.fn<() => void>();
  const outgoing = new OutgoingLink(link, onLost);
  const text = "x".repeat(1_000_000);
  let sent = 0;
  while (outgoing.send(text)) sent += text.length;
  expect(sent).toBe(maxWaitingBytes + text.length);
  expect(outgoing.send("more")).toBe(false);
});

describe("an account that waits for approval", () => {
  it("has room for three tabs, and for more when it is approved", async () => {
    const person = await createPerson("pending");
    const tabs = [await person.open(), await person.open(), await person.open()];
    await expect(person.open()).rejects.toThrow(/429.*close some tabs/);
    tabs[0]!.close();
    await tabs[0]!.untilClosed();
    await person.open();
    await services.db.update(users).set({ role: "user" }).where(eq(users.id, person.id));
    await person.open();
    await person.open();
  });

  it("finds no room when too many of them are connected, until others have left or were approved", async () => {
    const directory = (env as unknown as Env).OPEN_DIRECTORY.getByName("directory");
    const fill = async (): Promise<string[]> => {
      const ids: string[] = [];
      for (let id = newId(); await directory.admitPending(id); id = newId()) ids.push(id);
      return ids;
    };
    const [known, stranger] = [await createPerson("pending"), await createPerson("pending")];
    const tab = await known.open();
    await tab.hello();
    // Nobody of these has a connection, which is found out once it is full; then nobody is asked for a while.
    const ids = await fill();
    expect(ids.length).toBeGreaterThan(300);
    await expect(stranger.open()).rejects.toThrow(/429.*wait for approval/);
    await known.open();
    await services.db.update(users).set({ role: "user" }).where(eq(users.id, known.id));
    await services.live.recheck([known.id]);
    await vi.waitUntil(() => stranger.open().catch(() => undefined));
    for (const id of ids) await directory.leavePending(id);
  });
});
