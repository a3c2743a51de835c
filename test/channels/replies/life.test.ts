import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ChannelMessage, ChannelView } from "../../../src/channels/schema.ts";
import { channelMembers } from "../../../src/channels/tables.ts";
import { claimJob } from "../../../src/jobs/claim-job.ts";
import { sweepJobs } from "../../../src/jobs/sweep-jobs.ts";
import { jobs } from "../../../src/jobs/tables.ts";
import type { Person } from "../../world.ts";
import { at, createReplyWorld, patience, type ReplyWorld } from "./reply-world.ts";

let world: ReplyWorld;
let ada: Person;
let bob: Person;
let channel: ChannelView;

beforeAll(async () => {
  world = await createReplyWorld({
    endless: () => ({ content: "One two three", endless: true }),
    talking: () => ({ content: "On and", endless: "talking" }),
    short: () => ({ content: "Done." }),
    huge: () => ({ content: `${"x".repeat(40_000)} ${"y".repeat(40_000)}`, endless: true }),
    zero: () => ({ content: "a\0b \ud83d" }),
  });
  ada = await world.person({ name: "Ada" });
  bob = await world.person({ name: "Bob" });
});
afterAll(() => world.close());
beforeEach(async () => {
  channel = await world.channel(ada, { is_private: true, user_ids: [bob.id] });
  world.told.length = 0;
  world.upstream.requests.length = 0;
});

/** Somebody asks; the message that the answer is to stand in. */
async function asked(as: Person, model: string): Promise<ChannelMessage> {
  const question = await world.tell(as, channel, at(model));
  return (await world.thread(as, question))[0]!;
}

const path = ({ id }: ChannelMessage, action: "stop" | "regenerate") => `${channel.id}/messages/${id}/${action}`;
const left = () => world.upstream.exchanges.at(-1)!.over;

describe("stopping an answer", () => {
  it("keeps what has arrived, and lets the provider go", async () => {
    const answer = await asked(bob, "endless");
    const { ended } = await world.begin(bob, answer);
    const { status, body } = await world.post<ChannelMessage>(bob, path(answer, "stop"));
    expect([status, body]).toMatchObject([200, { state: "done", content: "One two three", meta: { stopped: true } }]);
    await ended;
    expect(await left()).toBe("left");
    expect(await world.message(ada, answer)).toEqual(await world.message(ada, body));
    const states = world.told.flatMap(({ event }) =>
      event.type === "channel:message:update" ? [event.data.message.state] : [],
    );
    expect(states.at(-1)).toBe("done");
    expect(await world.db.select().from(jobs)).toEqual([]);
    expect((await world.post(bob, path(answer, "stop"))).status).toBe(200);
  });

  it("is possible before its first word", async () => {
    const answer = await asked(bob, "endless");
    expect((await world.post<ChannelMessage>(bob, path(answer, "stop"))).body).toMatchObject({
      state: "done",
      content: "",
    });
    await world.answer();
    expect(world.upstream.requests).toEqual([]);
  });

  it("is for whoever asked and for managers", async () => {
    const cyd = await world.person({ name: "Cyd" });
    await world.post(ada, `${channel.id}/update/members/add`, { user_ids: [cyd.id] });
    const answer = await asked(bob, "endless");
    const stranger = await world.person({ name: "Dan" });
    expect((await world.post(cyd, path(answer, "stop"))).status).toBe(403);
    expect((await world.post(stranger, path(answer, "stop"))).status).toBe(404);
    expect(await world.message(ada, answer)).toMatchObject({ state: "streaming" });
    expect((await world.post(ada, path(answer, "stop"))).body).toMatchObject({ state: "done" });
    const plain = await world.tell(bob, channel, "Ahoy");
    expect((await world.post(bob, path(plain, "stop"))).status).toBe(422);
    expect((await world.post(bob, path({ ...answer, id: "unknown" }, "stop"))).status).toBe(404);
  });
});

describe("answering anew", () => {
  it("takes the place of the answer, with the rights of whoever wants it", async () => {
    const answer = await asked(bob, "short");
    await world.answer();
    const { status, body } = await world.post<ChannelMessage>(ada, path(answer, "regenerate"));
    expect([status, body]).toMatchObject([200, { state: "streaming", content: "", user_id: ada.id }]);
    expect((await world.post(ada, path(answer, "regenerate"))).status).toBe(409);
    await world.db.run(sql`DELETE FROM sessions WHERE user_id = ${bob.id} AND id <> ${bob.sessionId}`);
    await world.answer();
    expect(await world.message(bob, answer)).toMatchObject({ state: "done", content: "Done.", id: answer.id });
    expect(world.upstream.requests).toHaveLength(2);
    // Whoever asked before is now one of the others.
    expect((await world.post(bob, path(answer, "regenerate"))).status).toBe(403);
  });

  it("begins once for all who want it at the same time", async () => {
    const answer = await asked(bob, "short");
    await world.answer();
    const all = await Promise.all([ada, bob, ada, bob].map((each) => world.post(each, path(answer, "regenerate"))));
    expect(all.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    await world.answer();
    expect(world.upstream.requests).toHaveLength(2);
  });

  it("follows a stop, and a failure", async () => {
    const answer = await asked(bob, "endless");
    const { ended } = await world.begin(bob, answer);
    await world.post(bob, path(answer, "stop"));
    await ended;
    world.upstream.scripts["endless"] = () => ({ content: "Now whole" });
    await world.post(bob, path(answer, "regenerate"));
    await world.answer();
    world.upstream.scripts["endless"] = () => ({ content: "One two three", endless: true });
    const whole = await world.message(bob, answer);
    expect(whole).toMatchObject({ state: "done", content: "Now whole", error: null });
    expect(whole.meta).not.toHaveProperty("stopped");
  });

  it("needs the question", async () => {
    const answer = await asked(bob, "short");
    await world.answer();
    await world.call(`/api/v1/channels/${channel.id}/messages/${answer.parent_id}/delete`, {
      as: bob,
      method: "DELETE",
    });
    expect((await world.post<{ detail: string }>(bob, path(answer, "regenerate"))).body).toMatchObject({ status: 409 });
    expect(await world.message(bob, answer)).toMatchObject({ state: "done", content: "Done." });
  });
});

describe("an answer that is being written", () => {
  it("ends, with what has arrived, when whoever asked is taken out of the channel", async () => {
    const answer = await asked(bob, "talking");
    const { ended } = await world.begin(bob, answer);
    await world.db.delete(channelMembers).where(eq(channelMembers.userId, bob.id));
    await ended;
    expect(await world.message(ada, answer)).toMatchObject({
      state: "error",
      content: expect.stringMatching(/^On and(and)*$/),
      error: { code: "not_found", message: "The person who asked may no longer write here." },
    });
  });

  it("ends when whoever asked is refused the model or signed out", async () => {
    const answer = await asked(bob, "endless");
    const { ended } = await world.begin(bob, answer);
    await vi.waitUntil(() => world.live.followed.length > 0, patience);
    const { AppError } = await import("../../../src/errors.ts");
    for (const each of world.live.followed) each.refuse(new AppError("session_ended", "Sign in again"));
    await ended;
    expect(await world.message(ada, answer)).toMatchObject({
      state: "error",
      content: "One two three",
      error: { code: "session_ended", message: "The person who asked is no longer signed in." },
    });
    expect(await left()).toBe("left");
  });

  it("ends with its message", async () => {
    const answer = await asked(bob, "talking");
    const { ended } = await world.begin(bob, answer);
    await world.call(`/api/v1/channels/${channel.id}/messages/${answer.id}/delete`, { as: ada, method: "DELETE" });
    await ended;
    expect(await left()).toBe("left");
  });

  it("has a length", async () => {
    const answer = await asked(bob, "huge");
    await world.answer();
    const { state, content, error } = await world.message(bob, answer);
    expect([state, content.length, error?.code]).toEqual(["error", 65_536, "too_long"]);
    expect(await left()).toBe("left");
  });

  it("holds nothing that the database cannot keep", async () => {
    const answer = await asked(bob, "zero");
    await world.answer();
    expect(await world.message(bob, answer)).toMatchObject({ state: "done", content: "ab \ufffd" });
  });

  it("is begun anew when its runner has died, and shown from its beginning", async () => {
    const answer = await asked(bob, "short");
    expect((await claimJob(world.services, "reply"))?.subject).toBe(answer.id);
    await world.db.run(sql`UPDATE channel_messages SET content = 'Half of an old ans' WHERE id = ${answer.id}`);
    await world.answer();
    expect(await world.message(bob, answer)).toMatchObject({ state: "streaming" });
    await world.db.update(jobs).set({ leaseUntil: Date.now() - 1 });
    await world.answer();
    expect(await world.message(bob, answer)).toMatchObject({ state: "done", content: "Done." });
  });

  it("is written by one runner only: who has lost it changes nothing any more", async () => {
    const answer = await asked(bob, "endless");
    const { ended } = await world.begin(bob, answer);
    world.upstream.scripts["endless"] = () => ({ content: "The other one" });
    await world.db.update(jobs).set({ lease: null, leaseUntil: null });
    await world.answer();
    world.upstream.scripts["endless"] = () => ({ content: "One two three", endless: true });
    await ended;
    expect(await world.message(bob, answer)).toMatchObject({ state: "done", content: "The other one" });
  });

  it("fails when its time is over, and says so", async () => {
    const answer = await asked(bob, "short");
    await world.db.update(jobs).set({ deadline: Date.now() - 1 });
    await sweepJobs(world.services);
    expect(await world.message(bob, answer)).toMatchObject({ state: "error", error: { code: "upstream_timeout" } });
    expect(world.told.at(-1)!.event).toMatchObject({ data: { message: { id: answer.id, state: "error" } } });
  });
});
