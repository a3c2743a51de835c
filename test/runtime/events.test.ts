import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/id.ts";
import type { ServerFrame } from "../../src/shared/live-protocol.ts";
import { createPerson, type LivePerson, type Tab } from "./live-world.ts";
import { scriptedAnswer } from "./scripted-answer.ts";

interface Started {
  task_ids: string[];
  chat_id: string;
}

/** A turn of a tab whose answer is being written: its first word is there. */
async function begin(person: LivePerson) {
  const tab = await person.open();
  await tab.hello();
  const [name, id] = [`q-${newId()}`, newId()];
  const { body } = await person.call<Started>("/api/chat/completions", {
    model: "scripted",
    stream: true,
    session_id: "s",
    id,
    parent_id: null,
    user_message: { id: newId(), parentId: null, content: name },
  });
  const answer = scriptedAnswer(name);
  await answer.called();
  await answer.write({ send: "One, " });
  await tab.event("chat:message:delta");
  const emit = async (type: string, data: unknown) => {
    const { status } = await person.call(`/api/v1/chats/${body.chat_id}/messages/${id}/event`, { type, data });
    expect(status).toBe(200);
  };
  const stored = async () => (await person.chat(body.chat_id)).chat.history.messages[id]!;
  return { tab, answer, id, chatId: body.chat_id, runId: body.task_ids[0]!, emit, stored };
}

/** The text that the tab has put together, as its page does it. */
function textOf(tab: Tab, messageId: string): string {
  let text = "";
  for (const frame of tab.frames as Extract<ServerFrame, { kind: "event" }>[]) {
    if (frame.kind !== "event" || frame.message_id !== messageId) continue;
    const { content } = (frame.data.data ?? {}) as { content?: string };
    if (frame.data.type === "chat:message:delta") text += content;
    if (frame.data.type === "chat:message") text = content!;
  }
  return text;
}

describe("events for an answer that is being written", () => {
  it("stand in its text where they came, for tabs, in the end and in the database", async () => {
    const person = await createPerson();
    const { tab, answer, id, chatId, emit, stored } = await begin(person);
    await emit("message", { content: "[aside] " });
    const late = await person.open();
    expect((await late.hello()).runs).toMatchObject([{ content: "One, [aside] " }]);
    await person.message(chatId, id, ({ content }) => content === "One, [aside] ");
    await answer.write({ send: "two", finish: true });
    expect((await tab.event("chat:completion")).data.data).toMatchObject({ content: "One, [aside] two", done: true });
    expect(textOf(tab, id)).toBe("One, [aside] two");
    expect((await stored()).content).toBe("One, [aside] two");
    await emit("message", { content: " [late]" });
    await tab.event("chat:message:delta");
    expect(textOf(tab, id)).toBe("One, [aside] two [late]");
    expect((await stored()).content).toBe("One, [aside] two [late]");
  });

  it("take its place in the middle, and it goes on from there", async () => {
    const person = await createPerson();
    const { tab, answer, id, chatId, emit, stored } = await begin(person);
    await person.message(chatId, id, ({ content }) => content === "One, ");
    await emit("replace", { content: "Three, " });
    await person.message(chatId, id, ({ content }) => content === "Three, ");
    await answer.write({ send: "four", finish: true });
    expect((await tab.event("chat:completion")).data.data).toMatchObject({ content: "Three, four" });
    expect(textOf(tab, id)).toBe("Three, four");
    expect((await stored()).content).toBe("Three, four");
  });

  it("all arrive and are kept, in one order, however many there are at the same time", async () => {
    const person = await createPerson();
    const { tab, answer, id, emit, stored } = await begin(person);
    const all = Array.from({ length: 20 }, (_, at) => at);
    await Promise.all(
      all.flatMap((at) => [
        emit("message", { content: `<${at}>` }),
        emit("status", { description: `${at}`, done: false }),
      ]),
    );
    await answer.write({ finish: true });
    await tab.event("chat:completion");
    const message = (await stored()) as unknown as {
      content: string;
      statusHistory: { description: string; done: boolean }[];
    };
    expect(message.content).toBe(textOf(tab, id));
    for (const at of all) expect(message.content.split(`<${at}>`)).toHaveLength(2);
    const seen = tab.frames.flatMap((frame) =>
      frame.kind === "event" && frame.data.type === "status" ? [frame.data.data] : [],
    );
    expect(message.statusHistory.map(({ description }) => description)).toEqual(
      (seen as { description: string }[]).map(({ description }) => description),
    );
    // The run has ended, and with it what they left open.
    expect(message.statusHistory.every(({ done }) => done)).toBe(true);
    expect(message.statusHistory).toHaveLength(20);
  });

  it("are kept when it is stopped, and when its process dies", async () => {
    for (const how of ["stopped", "interrupted"]) {
      const person = await createPerson();
      const { answer, chatId, id, runId, emit } = await begin(person);
      await emit("message", { content: "[aside]" });
      await emit("status", { description: "Under way", done: false });
      await person.message(chatId, id, ({ content }) => content === "One, [aside]");
      if (how === "stopped") await person.call(`/api/tasks/stop/${runId}`, {});
      else {
        await abortAllDurableObjects();
        await (await person.open()).hello();
      }
      const message = await person.message(chatId, id, ({ state }) => state === how);
      expect(message).toMatchObject({
        content: "One, [aside]",
        statusHistory: [{ description: "Under way", done: true, hidden: false }],
      });
      await answer.over();
    }
  });

  it("that say how the whole chat is called are seen by all tabs", async () => {
    const person = await createPerson();
    const { tab, answer, chatId, emit } = await begin(person);
    await emit("chat:title", { title: "Of asides" });
    expect((await tab.event("chat:title")).data.data).toEqual({ title: "Of asides" });
    await answer.write({ send: "two", finish: true });
    await tab.event("chat:completion");
    // The model has named it meanwhile, if it could: what was said stays.
    expect((await person.chat(chatId)).title).toBe("Of asides");
  });
});
