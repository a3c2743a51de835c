import { describe, expect, it } from "vitest";
import type { ServerFrame } from "../../src/shared/live-protocol.ts";
import { createPerson, createToken, services, type LivePerson } from "./live-world.ts";

/** Reads a tab's events as a stream. */
async function openStream(person: LivePerson, { query = "", seen = "", token = person.token } = {}) {
  const response = await person.fetch(`/api/v1/events/stream${query}`, {
    headers: { authorization: `Bearer ${token}`, ...(seen === "" ? {} : { "last-event-id": seen }) },
  });
  expect(response.status).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let isOver = false;
  const read = async () => {
    const { done, value } = await reader.read();
    isOver = done;
    text += value ?? "";
    return !done;
  };
  const frames = () =>
    text
      .split("\n\n")
      .flatMap((event) => /^data: (\{.*)$/m.exec(event)?.[1] ?? [])
      .map((data) => JSON.parse(data) as ServerFrame);
  const stream = {
    headers: response.headers,
    get lastId() {
      return [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? "";
    },
    async until(isWanted: (frame: ServerFrame) => boolean): Promise<ServerFrame> {
      for (;;) {
        const found = frames().find(isWanted);
        if (found) return found;
        if (isOver) throw new Error(`the stream has ended: ${text}`);
        await read();
      }
    },
    async rest(): Promise<ServerFrame[]> {
      while (await read());
      return frames();
    },
    welcome: async () =>
      (await stream.until(({ kind }) => kind === "welcome")) as Extract<ServerFrame, { kind: "welcome" }>,
    leave: () => reader.cancel(),
  };
  return stream;
}

const say = (person: LivePerson, text: string) =>
  services.live.publish(person.id, { data: { type: "notification", data: { content: text } } });
const says = (text: string) => (frame: ServerFrame) =>
  frame.kind === "event" && JSON.stringify(frame.data).includes(text);
const events = (frames: ServerFrame[]) =>
  frames.filter(({ kind }) => kind === "event").map((frame) => JSON.stringify(frame));

describe("events as a stream", () => {
  it("come as on a socket, and go on after the last one that was seen", async () => {
    const person = await createPerson();
    const first = await openStream(person);
    expect(first.headers.get("x-accel-buffering")).toBe("no");
    expect(await first.welcome()).toMatchObject({ replayed: false });
    await say(person, "one");
    await first.until(says("one"));
    await first.leave();
    await say(person, "two");
    const second = await openStream(person, { seen: first.lastId });
    expect(await second.welcome()).toMatchObject({ replayed: true });
    await second.until(says("two"));
    await say(person, "three");
    await second.until(says("three"));
    await second.leave();
  });

  it("lose nothing and repeat nothing over many short answers", async () => {
    const person = await createPerson();
    const heard: string[] = [];
    let poll = await openStream(person, { query: "?wait=0" });
    heard.push(...events(await poll.rest()));
    let seen = poll.lastId;
    for (let at = 0; at < 5; at++) {
      await say(person, `before ${at};`);
      const coming = openStream(person, { query: "?wait=20", seen });
      await say(person, `during ${at};`);
      poll = await coming;
      heard.push(...events(await poll.rest()));
      seen = poll.lastId || seen;
    }
    poll = await openStream(person, { query: "?wait=0", seen });
    heard.push(...events(await poll.rest()));
    const said = heard.map((event) => /(?:before|during) \d;/.exec(event)?.[0]);
    expect(said).toEqual([0, 1, 2, 3, 4].flatMap((at) => [`before ${at};`, `during ${at};`]));
  });

  it("end with the session, which is said before", async () => {
    const person = await createPerson();
    const stream = await openStream(person);
    await stream.welcome();
    await services.live.revoke(person.id, "Signed out", person.sessionId);
    expect((await stream.rest()).at(-1)).toEqual({ kind: "signed-out", reason: "Signed out" });
    expect(
      (await person.call("/api/v1/events/frames", { session_id: "none", frame: { kind: "visible", visible: true } }))
        .status,
    ).toBe(404);
  });

  it("bring questions, which are answered by a frame of the same session only", async () => {
    const person = await createPerson();
    const stream = await openStream(person);
    const { session_id: tab } = await stream.welcome();
    const asked = services.live.ask(
      person.id,
      { data: { type: "execute", data: { code: "return 1" } } },
      { timeoutMs: 10_000, signal: new AbortController().signal },
    );
    const question = (await stream.until((frame) => frame.kind === "event" && frame.call !== undefined)) as Extract<
      ServerFrame,
      { kind: "event" }
    >;
    expect(question.call!.tab).toBe(tab);
    const answer = { session_id: tab, frame: { kind: "answer", call_id: question.call!.id, value: 42 } };
    const other = await createToken(person);
    const foreign = await person.fetch("/api/v1/events/frames", {
      method: "POST",
      headers: { authorization: `Bearer ${other}`, "content-type": "application/json" },
      body: JSON.stringify(answer),
    });
    expect(foreign.status).toBe(404);
    expect((await person.call("/api/v1/events/frames", answer)).status).toBe(200);
    expect(await asked).toBe(42);
    await stream.leave();
  });

  it("tell that the person is there, and that they have gone", async () => {
    const person = await createPerson();
    const stream = await openStream(person, { query: "?visible=true" });
    const { session_id: tab } = await stream.welcome();
    await expect.poll(() => services.live.isPresent(person.id)).toBe(true);
    await person.call("/api/v1/events/frames", { session_id: tab, frame: { kind: "visible", visible: false } });
    expect(await services.live.isPresent(person.id)).toBe(false);
    await stream.leave();
  });
});
