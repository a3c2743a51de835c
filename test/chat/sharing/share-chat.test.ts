import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import type { SharedChat, SharedSummary, ShareView } from "../../../src/chat/sharing/schema.ts";
import { chatShares, sharedMessages } from "../../../src/chat/sharing/tables.ts";
import { grants } from "../../../src/people/grants/tables.ts";
import { type BaseWorld, createBaseWorld } from "../../documents/knowledge/base-world.ts";
import type { Person } from "../../world.ts";
import { dialogue } from "../conversations/dialogue.ts";

let world: BaseWorld;
let ada: Person;
let grace: Person;

const base = "/api/v1/chats";
const organization = "00000000-0000-7000-8000-000000000001";
const forOrganization = [{ principal_type: "organization", principal_id: organization, permission: "read" }];
const forPerson = (id: string) => [{ principal_type: "user", principal_id: id, permission: "read" }];

beforeAll(async () => {
  world = await createBaseWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  [ada, grace] = await Promise.all([world.person(), world.person()]);
});

async function store(chat: unknown = dialogue()): Promise<string> {
  return (await world.call<ChatResponse>(`${base}/new`, { as: ada, json: { chat } })).body.id;
}
const share = (id: string, given?: unknown, as = ada) =>
  world.call<ChatResponse>(`${base}/${id}/share`, {
    as,
    method: "POST",
    ...(given === undefined ? {} : { json: { access_grants: given } }),
  });
const read = (shareId: string | null, as: Person) => world.call<SharedChat>(`${base}/share/${shareId}`, { as });
const said = ({ body }: { body: SharedChat }) => body.chat.messages.map(({ content }) => content);

test("a shared chat is read by whom its owner names, until it is withdrawn", async () => {
  const id = await store();
  const { status, body } = await share(id);
  expect([status, body.share_id]).toEqual([200, expect.any(String)]);
  // Nobody was named: it is the owner's alone.
  expect((await read(body.share_id, ada)).body).toMatchObject({ own: true, title: "Ships" });
  expect((await read(body.share_id, grace)).status).toBe(404);
  expect((await read(body.share_id, await world.admin())).status).toBe(404);

  await world.call(`${base}/shared/${id}/access/update`, { as: ada, json: { access_grants: forOrganization } });
  const seen = await read(body.share_id, grace);
  expect(seen.body).toMatchObject({
    id: body.share_id,
    own: false,
    user: { id: ada.id, name: ada.name },
    chat: { models: ["m1"], params: {}, history: { currentId: "a1" } },
  });
  expect(said(seen)).toEqual(["What is a harbour?", "A place for ships."]);
  expect((await world.call(`${base}/shared/${id}/access`, { as: ada })).body).toMatchObject(forOrganization);
  expect((await world.call<SharedSummary[]>(`${base}/shared`, { as: ada })).body).toMatchObject([
    { id, share_id: body.share_id, title: "Ships", access_grants: forOrganization },
  ]);
  expect((await world.call(`${base}/shared`, { as: grace })).body).toEqual([]);

  expect((await world.call(`${base}/${id}/share`, { as: ada, method: "DELETE" })).body).toBe(true);
  expect((await read(body.share_id, grace)).status).toBe(404);
  expect((await read(body.share_id, ada)).status).toBe(404);
  expect((await world.call<ChatResponse>(`${base}/${id}`, { as: ada })).body.share_id).toBeNull();
  expect((await world.call(`${base}/${id}/share`, { as: ada, method: "DELETE" })).status).toBe(404);
  const left = await world.db.select().from(grants).where(eq(grants.resourceId, body.share_id!));
  expect(left).toEqual([]);
});

test("what is said afterwards is not seen until the owner renews what the link shows", async () => {
  const id = await store();
  const { share_id: shareId } = (await share(id, forPerson(grace.id))).body;
  // Within the same second.
  await world.call(`${base}/${id}`, {
    as: ada,
    json: {
      chat: {
        history: {
          currentId: "u2",
          messages: {
            a1: { id: "a1", content: "Edited" },
            u2: { id: "u2", parentId: "a1", role: "user", content: "And a secret" },
          },
        },
      },
    },
  });
  expect(said(await read(shareId, grace))).toEqual(["What is a harbour?", "A place for ships."]);
  const state = () => world.call<ShareView>(`${base}/${id}/share`, { as: ada });
  expect((await state()).body).toMatchObject({ id: shareId, outdated: true });
  expect((await share(id)).body.share_id).toBe(shareId);
  expect((await state()).body).toMatchObject({ outdated: false, access_grants: forPerson(grace.id) });
  expect(said(await read(shareId, grace))).toEqual(["What is a harbour?", "Edited", "And a secret"]);
});

test("only what was said is behind the link: no reasoning, passages, files, tools or other branches", async () => {
  const picture = "data:image/png;base64,iVBORw0KGgo=";
  const id = await store({
    title: "Ships",
    system: "secret instructions",
    params: { system: "secret system" },
    history: {
      currentId: "a1",
      messages: {
        u0: { id: "u0", parentId: null, childrenIds: [], role: "user", content: "secret other branch" },
        s1: { id: "s1", parentId: null, childrenIds: ["u1"], role: "system", content: "secret rule" },
        u1: {
          id: "u1",
          parentId: "s1",
          childrenIds: ["e1", "a1"],
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "image_url", image_url: { url: picture } },
            { type: "image_url", image_url: { url: "https://tracker.example/secret" } },
          ],
          files: [
            { type: "file", id: "secret-id", name: "tides.pdf", file: { data: { content: "secret text" } } },
            { type: "image", name: "berth.png", url: picture },
          ],
        },
        e1: { id: "e1", parentId: "u1", childrenIds: [], role: "assistant", content: "secret sibling" },
        a1: {
          id: "a1",
          parentId: "u1",
          childrenIds: [],
          role: "assistant",
          content: "A boat [2]",
          model: "m1",
          reasoning: "secret thoughts",
          output: [{ name: "secret tool" }],
          sources: [
            {
              source: { name: "Harbour", id: "secret-base" },
              document: ["secret passage", "secret other"],
              metadata: [
                { number: 2, name: "tides.pdf" },
                { number: 1, name: "ebb.pdf" },
              ],
            },
            { source: "https://example.org/tides" },
            "nonsense",
          ],
        },
      },
    },
  });
  const { body, status } = await read((await share(id, forPerson(grace.id))).body.share_id, grace);
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toContain("secret");
  expect(body.chat.messages).toMatchObject([
    {
      id: "u1",
      parentId: null,
      content: [
        { type: "text", text: "Look" },
        { type: "image_url", image_url: { url: picture } },
        { type: "image_url", image_url: { url: picture } },
      ],
      files: [{ type: "file", name: "tides.pdf" }],
    },
    {
      id: "a1",
      parentId: "u1",
      content: "A boat [2]",
      sources: [
        { source: { name: "ebb.pdf" }, metadata: [{ number: 1 }] },
        { source: { name: "tides.pdf" }, metadata: [{ number: 2 }] },
        { source: { name: "https://example.org/tides" }, metadata: [{ number: 3 }] },
      ],
    },
  ]);
});

describe("sharing is refused", () => {
  test("for chats of others, of nobody, and without a word in them", async () => {
    const id = await store();
    expect((await share(id, undefined, grace)).status).toBe(404);
    expect((await share("no-such-chat")).status).toBe(404);
    expect((await share(await store({ title: "Empty" }))).status).toBe(422);
    expect((await world.call(`${base}/${id}/share`, { as: grace })).status).toBe(404);
    expect(
      (await world.call(`${base}/shared/${id}/access/update`, { as: ada, json: { access_grants: [] } })).status,
    ).toBe(404);
  });

  test("with everyone, for writing, and with people who are not there for the owner", async () => {
    const id = await store();
    expect((await share(id, forPerson("*"))).status).toBe(403);
    expect((await share(id, [{ ...forPerson(grace.id)[0], permission: "write" }])).status).toBe(422);
    const stranger = await world.person({ organizationId: await world.organization() });
    expect((await share(id, forPerson(stranger.id))).status).toBe(422);
    expect((await world.call<ChatResponse>(`${base}/${id}`, { as: ada })).body.share_id).toBeNull();
  });

  test("without the permission; what is shared already can still be withdrawn", async () => {
    const id = await store();
    const { share_id: shareId } = (await share(id, forPerson(grace.id))).body;
    const admin = await world.admin();
    const set = (shares: boolean) =>
      world.call("/api/v1/users/default/permissions", { as: admin, json: { chat: { share: shares, import: shares } } });
    await set(false);
    try {
      expect((await share(id)).status).toBe(403);
      expect((await world.call(`${base}/${shareId}/clone/shared`, { as: grace, method: "POST" })).status).toBe(403);
      expect((await read(shareId, grace)).status).toBe(200);
      expect((await world.call(`${base}/${id}/share`, { as: ada, method: "DELETE" })).status).toBe(200);
    } finally {
      await set(true);
    }
  });
});

test("a link shared many times at once is one link with one set of messages", async () => {
  const id = await store();
  const answers = await Promise.all(Array.from({ length: 5 }, () => share(id, forOrganization)));
  expect(new Set(answers.map(({ body }) => body.share_id)).size).toBe(1);
  const [row] = await world.db.select().from(chatShares).where(eq(chatShares.chatId, id));
  expect(
    (await world.db.select().from(sharedMessages).where(eq(sharedMessages.shareId, row!.id))).map((one) => one.id),
  ).toEqual(["u1", "a1"]);
  expect((await world.db.select().from(grants).where(eq(grants.resourceId, row!.id))).length).toBe(1);
});

test("deleting the chat ends its link", async () => {
  const id = await store();
  const { share_id: shareId } = (await share(id, forOrganization)).body;
  await world.call(`${base}/${id}`, { as: ada, method: "DELETE" });
  expect((await read(shareId, grace)).status).toBe(404);
  expect(await world.db.select().from(sharedMessages).where(eq(sharedMessages.shareId, shareId!))).toEqual([]);
  expect(await world.db.select().from(grants).where(eq(grants.resourceId, shareId!))).toEqual([]);
});

test("a reader goes on in a copy of their own", async () => {
  const chat = dialogue();
  Object.assign(chat.history.messages.u1, { files: [{ type: "file", id: "f1", name: "tides.pdf" }] });
  const id = await store(chat);
  const { share_id: shareId } = (await share(id, forPerson(grace.id))).body;
  const copy = (as: Person) => world.call<ChatResponse>(`${base}/${shareId}/clone/shared`, { as, method: "POST" });
  const { body } = await copy(grace);
  expect(body).toMatchObject({ user_id: grace.id, title: "Ships", share_id: null, current_message_id: "a1" });
  expect(body.chat.messages.map((message) => [message.content, message["files"]])).toEqual([
    ["What is a harbour?", undefined],
    ["A place for ships.", undefined],
  ]);
  expect((await copy(await world.person())).status).toBe(404);
});

test("a branch of more than the database takes as one value is shared whole, and a message of that size is refused", async () => {
  const message = (at: number, length: number) => [
    `m${at}`,
    { parentId: at === 0 ? null : `m${at - 1}`, role: "user", content: `${at} ${"x".repeat(length)}` },
  ];
  const history = (lengths: number[]) => ({
    history: { messages: Object.fromEntries(lengths.map((length, at) => message(at, length))) },
  });
  const { body } = await share(await store(history(Array.from({ length: 8 }, () => 900_000))));
  const seen = await read(body.share_id, ada);
  expect(said(seen).map((content) => [content?.slice(0, 2), content?.length])).toEqual(
    Array.from({ length: 8 }, (_, at) => [`${at} `, 900_002]),
  );
  const { status, body: refused } = await world.call<{ detail: string }>(`${base}/new`, {
    as: ada,
    json: { chat: history([5_000_000]) },
  });
  expect([status, refused.detail]).toEqual([413, "The message m0 is larger than 5 MB"]);
});
