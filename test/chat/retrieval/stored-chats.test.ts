import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { AnswerText } from "../../../src/chat/answer-text.ts";
import type { WireMessage } from "../../../src/chat/conversations/schema.ts";
import type { AnswerSource } from "../../../src/chat/retrieval/number-pieces.ts";
import { runTurn, type TurnEnd } from "../../../src/chat/run-turn.ts";
import { files } from "../../../src/documents/files/tables.ts";
import { newId } from "../../../src/lib/id.ts";
import { answered, type Completion, useFilterWorld } from "../functions/filter-world.ts";
import { addCollection, addDocument, addText, bind, type Looked } from "./document-world.ts";

const here = useFilterWorld();

const ferry = "The ferry to Skagen leaves the northern quay at nine in the morning.";
const fees = "Mooring costs twelve crowns for each metre and night.";
const question = "When does the ferry leave?";
const file = (id: string, more: object = {}) => ({ type: "file", id, name: "handbook.pdf", ...more });
const given = (): string => {
  const answered = here.asked().filter(({ body }) => !JSON.stringify(body).includes("Name the conversation"));
  const { messages } = answered.at(-1)!.body as { messages: { content: unknown }[] };
  const { content } = messages.at(-1)!;
  return typeof content === "string" ? content : JSON.stringify(content);
};
const last = async (chatId: string) => (await here.shown(chatId)).at(-1)!;
const sourcesOf = (message: WireMessage) => (message["sources"] ?? []) as AnswerSource[];
const statusesOf = (message: WireMessage) =>
  ((message["statusHistory"] ?? []) as { description: string; done: boolean }[]).map(({ description, done }) =>
    done ? description : `${description} (open)`,
  );

let handbook: string;
beforeEach(async () => {
  handbook = await addDocument(here.world, here.ada, { passages: [fees, ferry] });
});

describe("an answer in the background", () => {
  it("keeps its sources, and says what is done", async () => {
    const { start, end } = await here.turn({
      user_message: { id: newId(), content: question },
      files: [file(handbook)],
    });
    expect([end.state, end.content]).toEqual(["done", answered]);
    expect(given()).toContain(ferry);
    const message = await last(start.chatId);
    expect(sourcesOf(message)).toMatchObject([
      { source: { id: handbook }, document: [fees, ferry], metadata: [{ number: 1 }, { number: 2 }] },
    ]);
    expect(statusesOf(message)).toEqual(["Searching handbook.pdf", "Found 2 passages in 1 document"]);
    expect(message["statusHistory"]).toMatchObject([
      { action: "knowledge_search", query: question },
      { action: "knowledge_search", query: question, done: true, count: 2 },
    ]);
    const events = here.world.live.published
      .map(({ event }) => event.data.type)
      .filter((type) => /^(source|status)$/.test(type));
    expect(events).toEqual(["status", "source", "status"]);
    expect(here.published("source")[0]!.data.data).toEqual(sourcesOf(message)[0]);
  });

  it("says that nothing was found", async () => {
    const base = await addCollection(here.world, here.ada, [handbook]);
    await bind(here.world, "openai", "collection", base);
    const { start } = await here.turn({ user_message: { id: newId(), content: "zebra" } });
    const message = await last(start.chatId);
    expect(statusesOf(message)).toEqual(["Searching Harbour rules", "Nothing found in Harbour rules"]);
    expect(sourcesOf(message)).toEqual([]);
  });

  it("has the files of the questions before it in its branch, and no others", async () => {
    const attached = { id: newId(), content: question, files: [file(handbook)] };
    const first = await here.turn({ user_message: attached });
    const { chatId } = first.start;
    const next = { id: newId(), parentId: first.start.messageId, content: "And the fees?" };
    await here.turn({ chat_id: chatId, parent_id: first.start.messageId, user_message: next });
    expect(given()).toContain(fees);
    expect(sourcesOf(await last(chatId))).toHaveLength(1);
    // Another branch begins beside the question with the file.
    const beside = { id: newId(), parentId: null, content: "And the fees?" };
    await here.turn({ chat_id: chatId, parent_id: null, user_message: beside });
    expect(given()).toBe("And the fees?");
    expect(sourcesOf(await last(chatId))).toEqual([]);
  });

  it("has the files that the chat as a whole has", async () => {
    const json = { chat: { title: "T", files: [file(handbook)] } };
    const { body } = await here.world.call<{ id: string }>("/api/v1/chats/new", { as: here.ada, json });
    await here.turn({ chat_id: body.id, user_message: { id: newId(), content: question } });
    expect(given()).toContain(ferry);
  });

  it("goes on where a file of the chat is gone, and says so", async () => {
    const first = await here.turn({ user_message: { id: newId(), content: question, files: [file(handbook)] } });
    const { chatId, messageId } = first.start;
    await here.world.db.delete(files).where(eq(files.id, handbook));
    await here.turn({
      chat_id: chatId,
      parent_id: messageId,
      user_message: { id: newId(), parentId: messageId, content: "And the fees?" },
    });
    const message = await last(chatId);
    expect(message.state).toBe("done");
    expect(statusesOf(message)).toEqual([
      "handbook.pdf no longer exists, or you have no access to it",
      "There was nothing to search; left out: handbook.pdf",
    ]);
    expect(given()).toContain("handbook.pdf no longer exists");
  });

  it("that goes on keeps the numbers of its sources", async () => {
    const other = await addDocument(here.world, here.ada, {
      name: "other.pdf",
      passages: ["A ferry also goes to Oslo."],
    });
    const { start } = await here.turn({ user_message: { id: newId(), content: question, files: [file(handbook)] } });
    const { chatId, messageId } = start;
    here.world.live.runs.length = 0;
    const asking = { session_id: "s", id: messageId, chat_id: chatId, continue: true, files: [file(other)] };
    await here.world.call("/api/chat/completions", { as: here.ada, json: { model: "openai", ...asking } });
    const again = here.world.live.runs.at(-1)!;
    expect(again.continueFrom.content).toBe(answered);
    let end: TurnEnd | undefined;
    const text = new AnswerText(again.continueFrom);
    await runTurn(here.world.services, again, text, { ended: (ended) => void (end = ended) }, new AbortController());
    expect(end!.state).toBe("done");
    const message = await last(chatId);
    const numbers = sourcesOf(message).map(({ source, metadata }) => [
      source.name,
      metadata.map(({ number }) => number),
    ]);
    expect(numbers).toEqual([
      ["handbook.pdf", [1, 2]],
      ["other.pdf", [3]],
    ]);
    const { messages } = here.asked().at(-1)!.body as { messages: { content: string }[] };
    for (const source of [`<source id="2" name="handbook.pdf">\n${ferry}`, `<source id="3" name="other.pdf">`])
      expect(messages.some(({ content }) => content.includes(source))).toBe(true);
  });
});

describe("a file that is still being read", () => {
  const pending = {
    state: "pending",
    stage: "extracting",
    progressDone: 3,
    progressTotal: 12,
    progressUnit: "pages",
  } as const;
  const said = () => here.published("status").map(({ data }) => (data.data as { description: string }).description);

  it("is waited for", async () => {
    const report = await addDocument(here.world, here.ada, { name: "report.pdf", set: pending });
    const turn = here.turn({ user_message: { id: newId(), content: question }, files: [file(report)] });
    await vi.waitFor(() => expect(said()).toContain("Reading report.pdf, page 3 of 12"), { timeout: 30_000 });
    await here.world.db.update(files).set({ progressDone: 9 }).where(eq(files.id, report));
    await vi.waitFor(() => expect(said()).toContain("Reading report.pdf, page 9 of 12"), { timeout: 30_000 });
    await addText(here.world, report, [ferry]);
    const { start } = await turn;
    const message = await last(start.chatId);
    expect(sourcesOf(message)).toMatchObject([{ source: { id: report } }]);
    // Of what changes by the second only the first is kept, and nothing is left open.
    expect(statusesOf(message)).toEqual([
      "Reading report.pdf, page 3 of 12",
      "Searching report.pdf",
      "Found 1 passage in 1 document",
    ]);
  });

  it("that fails meanwhile is said", async () => {
    const report = await addDocument(here.world, here.ada, { name: "report.pdf", set: pending });
    const turn = here.turn({ user_message: { id: newId(), content: question }, files: [file(report)] });
    await vi.waitFor(() => expect(said()).toContain("Reading report.pdf, page 3 of 12"), { timeout: 30_000 });
    await here.world.db
      .update(files)
      .set({ state: "failed", errorCode: "file_encrypted", error: "It asks for a password" })
      .where(eq(files.id, report));
    const { start, end } = await turn;
    expect(end.state).toBe("done");
    expect(statusesOf(await last(start.chatId))).toContain("report.pdf could not be read: It asks for a password");
  });

  it("that goes meanwhile is not there any more", async () => {
    const report = await addDocument(here.world, here.ada, { name: "report.pdf", set: pending });
    const turn = here.turn({ user_message: { id: newId(), content: question }, files: [file(report, { name: "r" })] });
    await vi.waitFor(() => expect(said()).toContain("Reading report.pdf, page 3 of 12"), { timeout: 30_000 });
    await here.world.db.delete(files).where(eq(files.id, report));
    const { start } = await turn;
    expect(statusesOf(await last(start.chatId))).toContain("r no longer exists, or you have no access to it");
  });

  it("holds nobody up who stops the answer", async () => {
    const report = await addDocument(here.world, here.ada, { name: "report.pdf", set: pending });
    const abort = new AbortController();
    const turn = here.turn({ user_message: { id: newId(), content: question }, files: [file(report)] }, abort);
    await vi.waitFor(() => expect(said()).toContain("Reading report.pdf, page 3 of 12"), { timeout: 30_000 });
    abort.abort("stopped");
    const { start, end } = await turn;
    expect(end.state).toBe("stopped");
    expect(here.asked()).toEqual([]);
    expect((await last(start.chatId)).state).toBe("stopped");
    expect(here.world.logged.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("is not waited for where it has an older text", async () => {
    await here.world.db.update(files).set(pending).where(eq(files.id, handbook));
    const { start } = await here.turn({ user_message: { id: newId(), content: question }, files: [file(handbook)] });
    expect(sourcesOf(await last(start.chatId))).toHaveLength(1);
    expect(said().join()).not.toContain("Reading");
  });
});

describe("an API call that is kept in a chat", () => {
  it("has its sources in the answer and in the chat, and the files for the next one", async () => {
    const chatId = await here.newChat();
    const ask = (content: string, more: object = {}) =>
      here.ask<Completion & Looked>({ chat_id: chatId, messages: [{ role: "user", content }], ...more });
    const { body } = await ask(question, { files: [file(handbook)] });
    await here.world.settled();
    expect(body.sources).toHaveLength(1);
    const [asked, answer] = await here.shown(chatId);
    expect(asked!["files"]).toEqual([file(handbook)]);
    expect(asked!.content).toBe(question);
    expect(answer!.content).toBe(answered);
    expect(sourcesOf(answer!)).toEqual(body.sources);
    const next = await ask("And the fees?");
    await here.world.settled();
    expect(next.body.sources![0]!.document).toContain(fees);
    expect(await here.shown(chatId)).toHaveLength(4);
  });

  it("fills a message anew, with the sources of this time", async () => {
    const chatId = await here.newChat();
    await here.ask({ chat_id: chatId, messages: [{ role: "user", content: question }], files: [file(handbook)] });
    await here.world.settled();
    const { id } = await last(chatId);
    await addText(here.world, handbook, ["The ferry leaves at noon now."]);
    await here.ask({ chat_id: chatId, id, messages: undefined });
    await here.world.settled();
    const message = await last(chatId);
    expect(sourcesOf(message).map(({ document }) => document)).toEqual([["The ferry leaves at noon now."]]);
    expect(statusesOf(message)).toEqual(["Searching handbook.pdf", "Found 1 passage in 1 document"]);
  });
});

describe("what it costs the database until the model is asked", () => {
  async function cost(more: object): Promise<number> {
    await here.world.settled();
    here.world.roundTrips.reset();
    const asked = here.upstream.nextRequest();
    const json = { model: "openai", messages: [{ role: "user", content: question }], ...more };
    const answer = here.world.request("/api/chat/completions", { as: here.ada, json });
    await asked;
    const { count } = here.world.roundTrips;
    expect((await answer).status).toBe(200);
    await (await answer).text();
    return count;
  }

  it("is nothing more without documents, and little with them", async () => {
    await cost({});
    expect(await cost({})).toBe(1);
    const chatId = await here.newChat();
    expect(await cost({ chat_id: chatId })).toBe(2);
    // Who may read what; then the search (which model, words, passages), and the beginning of what was attached.
    expect(await cost({ files: [file(handbook)] })).toBeLessThanOrEqual(6);
    const base = await addCollection(here.world, here.ada, [handbook]);
    expect(await cost({ files: [{ type: "collection", id: base }] })).toBeLessThanOrEqual(5);
    expect(await cost({ files: [{ type: "text", content: "Hello" }] })).toBe(1);
  });
});
