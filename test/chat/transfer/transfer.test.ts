import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import type { ImportReport } from "../../../src/chat/transfer/schema.ts";
import { type BaseWorld, createBaseWorld } from "../../documents/knowledge/base-world.ts";
import type { Person, RequestOptions } from "../../world.ts";
import { dialogue } from "../conversations/dialogue.ts";

let world: BaseWorld;
let ada: Person;

const base = "/api/v1/chats";

beforeAll(async () => {
  world = await createBaseWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
});

const bring = (body: BodyInit | unknown, as = ada) =>
  world.call<ImportReport>(`${base}/import/file`, {
    as,
    method: "POST",
    body:
      typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream
        ? (body as BodyInit)
        : JSON.stringify(body),
  });
const all = async (as = ada) => (await world.call<ChatResponse[]>(`${base}/all`, { as })).body;
const noChanges = { messages_left_out: 0, messages_moved: 0, files_left_out: 0, folders_left_out: 0 };

describe("a file of chats", () => {
  test("that this service has exported comes back the same", async () => {
    const chat = { ...dialogue(), tags: ["sea"], system: "Be brief" };
    await world.call(`${base}/new`, { as: ada, json: { chat } });
    await world.call(`${base}/new`, { as: ada, json: { chat: { ...chat, title: "Other" } } });
    const exported = await all();
    const grace = await world.person();
    const { status, body } = await bring(exported, grace);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      imported: 2,
      messages: 4,
      complete: true,
      left_out: [],
      left_out_count: 0,
      changes: noChanges,
    });
    const plain = (chats: ChatResponse[]) =>
      chats.map(({ id: _id, user_id: _user, ...chat }) => chat).sort((a, b) => a.title.localeCompare(b.title));
    expect(plain(await all(grace))).toEqual(plain(exported));
    expect(body.chats.map(({ title }) => title).sort()).toEqual(["Other", "Ships"]);
  });

  test("of several kinds is taken as far as it can be, and says what is missing and why", async () => {
    const { body } = await bring([
      { chat: dialogue(), folder_id: "harbour" },
      dialogue("Older", "Export"),
      {
        title: "From elsewhere",
        mapping: {
          a: { parent: null, message: { author: { role: "user" }, content: { content_type: "text", parts: ["Hi"] } } },
        },
      },
      { chat: { title: "Nothing" } },
      "no chat",
      {
        chat: {
          title: "Loose",
          history: { messages: { m: { parentId: "gone", role: "user", content: "Left alone" } } },
        },
      },
    ]);
    expect(body).toMatchObject({
      imported: 4,
      left_out: [
        { position: 4, title: "Nothing", reason: "It has no messages" },
        { position: 5, title: "", reason: "Not a chat" },
      ],
      left_out_count: 2,
      changes: { ...noChanges, folders_left_out: 1, messages_moved: 1 },
    });
    // What lay in a folder would be in no list.
    expect((await world.call<unknown[]>(`${base}/`, { as: ada })).body.length).toBe(4);
  });

  test("keeps files that are here for the person, and leaves out what an export only names", async () => {
    const mine = await world.file(ada, { name: "mine.txt" });
    const theirs = await world.file(await world.person(), { name: "theirs.txt" });
    const chat = dialogue();
    Object.assign(chat.history.messages.u1, {
      files: [
        { type: "file", id: mine, name: "mine.txt" },
        { type: "file", id: theirs, name: "theirs.txt" },
        { type: "collection", id: "no-such-base", name: "Base" },
        { type: "image", url: "data:image/png;base64,AA==" },
        { type: "image", url: `/api/v1/files/${theirs}/content` },
        { type: "image", url: mine },
      ],
    });
    const { body } = await bring([chat]);
    expect(body.changes.files_left_out).toBe(3);
    const [stored] = await all();
    expect(stored!.chat.messages[0]!["files"]).toEqual([
      { type: "file", id: mine, name: "mine.txt" },
      { type: "image", url: "data:image/png;base64,AA==" },
      { type: "image", url: mine },
    ]);
  });

  test("that ends in the middle leaves what came before", async () => {
    const whole = JSON.stringify([dialogue("One"), dialogue("Two"), dialogue("Three")]);
    const { body } = await bring(whole.slice(0, -40));
    expect(body).toMatchObject({ imported: 2, complete: false });
    expect((await all()).length).toBe(2);
  });

  test("may be one chat, or what the other import takes", async () => {
    expect((await bring(dialogue())).body.imported).toBe(1);
    expect((await bring({ chats: [{ chat: dialogue() }, { chat: dialogue() }] })).body.imported).toBe(2);
    expect((await bring("[]")).body).toMatchObject({ imported: 0, complete: true });
  });

  test.each([
    ["text", "Dear diary"],
    ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47])],
  ])("that is none, %s, is refused", async (_what, body) => {
    expect((await bring(body)).status).toBe(400);
  });

  test("with broken texts in it is stored without what no database keeps", async () => {
    const { body } = await bring(`[${JSON.stringify(dialogue("Half \ud83d and nul \u0000"))}]`);
    expect(body.imported).toBe(1);
    expect((await all())[0]!.chat.messages[0]!.content).toBe("Half \ufffd and nul ");
  });

  test("as deep as no chat is leaves that chat out", async () => {
    const deep = `{"chat":${"[".repeat(600)}${"]".repeat(600)}}`;
    expect((await bring(`[${deep},${JSON.stringify(dialogue())}]`)).body).toMatchObject({
      imported: 1,
      left_out: [{ position: 1 }],
    });
  });

  test("far larger than any body that is held in memory is stored while it comes in", async () => {
    const one = JSON.stringify({ chat: dialogue("x".repeat(100_000)) });
    const count = 400;
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const text = `${sent === 0 ? "[" : ","}${one}`;
        sent += 1;
        controller.enqueue(new TextEncoder().encode(sent === count ? `${text}]` : text));
        if (sent === count) controller.close();
      },
    });
    const streamed: RequestOptions & { duplex: "half" } = { as: ada, method: "POST", body, duplex: "half" };
    const answer = await world.request(`${base}/import/file`, streamed);
    expect(await answer.json()).toMatchObject({ imported: count, complete: true, left_out_count: 0 });
    const { rows } = await world.client.execute({
      sql: "SELECT count(*) AS n FROM messages WHERE user_id = ?",
      args: [ada.id],
    });
    expect(rows[0]?.["n"]).toBe(2 * count);
  }, 120_000);
});

describe("an exported chat", () => {
  async function store(chat: unknown): Promise<string> {
    return (await world.call<ChatResponse>(`${base}/new`, { as: ada, json: { chat } })).body.id;
  }
  const take = (id: string, format: string) => world.request(`${base}/${id}/export?format=${format}`, { as: ada });

  test("is Markdown or text of the branch that is shown", async () => {
    const chat = { ...dialogue("What is a harbour?", "# A place\n\nfor *ships* [1]."), title: "Ships: / and more" };
    Object.assign(chat.history.messages.u1, {
      content: [
        { type: "text", text: "Look" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
      ],
      files: [{ type: "file", name: "tides.pdf" }],
    });
    Object.assign(chat.history.messages.a1, { sources: [{ source: { name: "Harbour\nrules" } }] });
    const id = await store(chat);
    const markdown = await take(id, "markdown");
    expect(markdown.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''Ships%20and%20more.md");
    expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(await markdown.text()).toBe(
      [
        "# Ships: / and more",
        "## You",
        "*2023-11-14 22:13 UTC*",
        "Look",
        "*(a picture)*",
        "- tides.pdf",
        "## m1",
        "*2023-11-14 22:13 UTC*",
        "# A place",
        "for *ships* [1].",
        "- Source: Harbour rules\n",
      ].join("\n\n"),
    );
    expect(await (await take(id, "text")).text()).toBe(
      [
        "Ships: / and more",
        "You, 2023-11-14 22:13 UTC\nLook",
        "[a picture]\n[file: tides.pdf]",
        "m1, 2023-11-14 22:13 UTC\n# A place",
        "for *ships* [1].\n[source: Harbour rules]\n",
      ].join("\n\n"),
    );
  });

  test("is JSON that the import takes, with all branches", async () => {
    const chat = dialogue();
    Object.assign(chat.history.messages, {
      a2: { id: "a2", parentId: "u1", childrenIds: [], role: "assistant", content: "Another answer" },
    });
    const exported = await (await take(await store(chat), "json")).text();
    const grace = await world.person();
    expect((await bring(exported, grace)).body).toMatchObject({ imported: 1, messages: 3 });
  });

  test("is only one's own, in a format that there is", async () => {
    const id = await store(dialogue());
    const grace = await world.person();
    expect((await world.call(`${base}/${id}/export`, { as: grace })).status).toBe(404);
    expect((await take(id, "docx")).status).toBe(422);
    expect((await take("no-such-chat", "json")).status).toBe(404);
  });
});

test("without the permission nothing is exported or imported", async () => {
  const id = (await world.call<ChatResponse>(`${base}/new`, { as: ada, json: { chat: dialogue() } })).body.id;
  const admin = await world.admin();
  const set = (is: boolean) =>
    world.call("/api/v1/users/default/permissions", { as: admin, json: { chat: { export: is, import: is } } });
  await set(false);
  try {
    for (const path of [`${base}/${id}/export`, `${base}/all`, `${base}/all/archived`])
      expect((await world.call(path, { as: ada })).status).toBe(403);
    expect((await bring([dialogue()])).status).toBe(403);
    expect((await world.call(`${base}/import`, { as: ada, json: { chats: [{ chat: dialogue() }] } })).status).toBe(403);
  } finally {
    await set(true);
  }
  expect((await all()).length).toBe(1);
});
