import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fileKey } from "../../../src/documents/files/blob-keys.ts";
import { newId } from "../../../src/lib/id.ts";
import { type ReplayServer, startReplayServer } from "../../fixtures/upstreams/replay-server.ts";
import { createWorld, origin, type Person, type World } from "../../world.ts";
import { addDocument } from "../retrieval/document-world.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const dataUrl = `data:image/png;base64,${png.toString("base64")}`;

let world: World;
let upstream: ReplayServer;
let web: Server;
let webUrl: string;
let ada: Person;
let asked: string[];

beforeAll(async () => {
  web = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/picture.png") response.writeHead(200, { "content-type": "text/plain" }).end(png);
    else if (request.url === "/page") response.writeHead(200, { "content-type": "image/png" }).end("<html></html>");
    else if (request.url === "/moved") response.writeHead(302, { location: "/picture.png" }).end();
    else if (request.url === "/large") response.writeHead(200).end(Buffer.concat([png, Buffer.alloc(11_000_000)]));
    else response.writeHead(404).end();
  });
  web.listen(0, "127.0.0.1");
  await once(web, "listening");
  webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
afterAll(() => web.close());
beforeEach(async () => {
  asked = [];
  upstream = await startReplayServer();
  upstream.models = ["echo", "openai"];
  world = await createWorld({
    environment: {
      OPENAI_API_BASE_URLS: upstream.url,
      DEFAULT_USER_ROLE: "user",
      OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(webUrl).host,
    },
  });
  ada = await world.person({ role: "user" });
});
afterEach(async () => {
  await world.close();
  await upstream.close();
});

type Part = { type: string; text?: string; image_url?: { url: string; detail?: string } };

const text = (said: string): Part => ({ type: "text", text: said });
const picture = (url: string, more: object = {}): Part => ({ type: "image_url", image_url: { url, ...more } });

async function addPicture(
  owner: Person,
  set: { contentType?: string; size?: number; bytes?: Buffer } = {},
): Promise<string> {
  const { contentType = "image/png", bytes = png, size = bytes.length } = set;
  const id = await addDocument(world, owner, { name: "pier.png", set: { contentType, size } });
  await world.services.blobs.put(fileKey(id), new Uint8Array(bytes));
  return id;
}

async function complete(body: object, as = ada) {
  return world.call<{ error?: { code: string; message: string; param: string } }>("/api/chat/completions", {
    as,
    json: { model: "echo", ...body },
  });
}

/** The messages that the model got. */
function told(): { role: string; content: string | Part[] }[] {
  return upstream.requests.at(-1)!.body!["messages"] as { role: string; content: string | Part[] }[];
}

const ask = (...parts: Part[]) => [{ role: "user", content: [text("What is it?"), ...parts] }];

describe("a picture of the service's own", () => {
  test("goes to the model by its id, its path or its address, with what else the part says", async () => {
    const id = await addPicture(ada);
    for (const url of [
      id,
      `/api/v1/files/${id}/content`,
      `/api/v1/files/${id}`,
      `${origin}/api/v1/files/${id}/content`,
    ]) {
      const { status } = await complete({ messages: ask(picture(url, { detail: "low" })) });
      expect([url, status]).toEqual([url, 200]);
      expect(told()).toEqual([{ role: "user", content: [text("What is it?"), picture(dataUrl, { detail: "low" })] }]);
    }
  });

  test("is given where it is attached, and nothing is looked up in it", async () => {
    const id = await addPicture(ada);
    const { status, body } = await complete({
      messages: [{ role: "user", content: "What is it?" }],
      files: [{ type: "file", id }],
    });
    expect(status).toBe(200);
    expect(told()).toEqual([{ role: "user", content: [text("What is it?"), picture(dataUrl)] }]);
    expect(body).not.toHaveProperty("warnings");
    expect(upstream.requests.at(-1)!.body).not.toHaveProperty("files");
  });

  test.each([
    ["of somebody else", async () => addPicture(await world.person({ role: "user" }))],
    ["that is nowhere", async () => newId()],
  ])("is not given %s", async (_, make) => {
    const { status, body } = await complete({ messages: ask(picture(await make())) });
    expect(status).toBe(422);
    expect(body.error).toMatchObject({ code: "validation_failed", param: "messages" });
    expect(upstream.requests.filter(({ path }) => path.endsWith("completions"))).toEqual([]);
  });

  test("is one of 100 at most in a request", async () => {
    const id = await addPicture(ada);
    const { status, body } = await complete({ messages: ask(...Array.from({ length: 101 }, () => picture(id))) });
    expect([status, body.error?.message]).toEqual([422, expect.stringContaining("there are more than 100")]);
    expect((await complete({ messages: ask(...Array.from({ length: 100 }, () => picture(id))) })).status).toBe(200);
  });

  test("is refused where it is no picture, or a large one", async () => {
    const page = await addPicture(ada, { contentType: "application/pdf" });
    expect((await complete({ messages: ask(picture(page)) })).body.error?.message).toContain("not a PNG");
    const large = await addPicture(ada, { size: 10_000_001 });
    expect((await complete({ messages: ask(picture(large)) })).body.error?.message).toContain("larger than 10 MB");
    const bytes = Buffer.alloc(9_000_000);
    const three = await Promise.all([1, 2, 3].map(() => addPicture(ada, { bytes })));
    expect((await complete({ messages: ask(...three.map((id) => picture(id))) })).status).toBe(422);
  });

  test("of an earlier question is left out where it is gone, and the conversation goes on", async () => {
    const messages = [
      ...ask(picture(newId())),
      { role: "assistant", content: "A pier." },
      { role: "user", content: "Sure?" },
    ];
    expect((await complete({ messages })).status).toBe(200);
    expect(told()[0]!.content).toEqual([text("What is it?"), text("(An earlier picture was left out here)")]);
  });

  test("costs one round trip more, and none where there is none", async () => {
    const id = await addPicture(ada);
    await complete({ messages: ask(picture(dataUrl)) });
    await world.settled();
    const trips = async (messages: object[]) => {
      world.roundTrips.reset();
      await complete({ messages });
      return world.roundTrips.count;
    };
    const plain = await trips(ask(picture(dataUrl)));
    await world.settled();
    expect(await trips(ask(picture(id), picture(id)))).toBe(plain + 1);
  });
});

describe("a model that cannot see", () => {
  test("gets none of the service's pictures, as its administrator says", async () => {
    const admin = await world.admin();
    const meta = { capabilities: { vision: false } };
    await world.call("/api/v1/models/create", {
      as: admin,
      json: { id: "blind", base_model_id: "echo", name: "Blind", meta, params: {} },
    });
    const id = await addPicture(admin);
    await complete({ model: "blind", messages: ask(picture(id), picture(dataUrl)) }, admin);
    // What a client sends in its own bytes goes on as it came.
    expect(told()).toEqual([
      {
        role: "user",
        content: [text("What is it?"), text("(A picture that this model cannot see)"), picture(dataUrl)],
      },
    ]);
    const { body } = await complete({ model: "blind", messages: ask(), files: [{ type: "file", id }] }, admin);
    expect(body).toHaveProperty("warnings");
  });
});

describe("a picture of the web", () => {
  async function fetched(): Promise<void> {
    const admin = await world.admin();
    const { body } = await world.call<{ id: string }>("/api/v1/connections", {
      as: admin,
      json: { base_url: upstream.url, key: "k", prefix_id: "deaf", quirks: { images: "data_url" } },
    });
    expect(body.id).toBeTypeOf("string");
  }

  test("is left to the provider, and fetched where that fetches none", async () => {
    const url = `${webUrl}/picture.png`;
    await complete({ messages: ask(picture(url)) });
    expect(told()[0]!.content).toEqual([text("What is it?"), picture(url)]);
    expect(asked).toEqual([]);
    await fetched();
    const admin = await world.admin();
    const { status } = await complete({ model: "deaf.echo", messages: ask(picture(url)) }, admin);
    expect(status).toBe(200);
    expect(told()[0]!.content).toEqual([text("What is it?"), picture(dataUrl)]);
    await complete({ model: "deaf.echo", messages: ask(picture(`${webUrl}/moved`)) }, admin);
    expect(told()[0]!.content).toEqual([text("What is it?"), picture(dataUrl)]);
  });

  test.each([
    ["/missing", "status 404"],
    ["/page", "not a PNG"],
    ["/large", "larger than"],
    ["file:///etc/passwd", "its address is invalid"],
    ["http://169.254.169.254/latest", "not a public address"],
    ["nonsense", "its address is invalid"],
  ])("that cannot be had is refused: %s", async (path, why) => {
    await fetched();
    const admin = await world.admin();
    const url = path.startsWith("/") ? webUrl + path : path;
    const { status, body } = await complete({ model: "deaf.echo", messages: ask(picture(url)) }, admin);
    expect([status, body.error?.param]).toEqual([422, "messages"]);
    expect(body.error?.message).toContain(why);
  });
});

test("audio, video and unknown parts go on as they came", async () => {
  const parts = [
    { type: "input_audio", input_audio: { data: "AAECAw==", format: "wav" } },
    { type: "video_url", video_url: { url: "https://example.com/a.mp4" } },
    { type: "new_kind", value: 1 },
  ];
  await complete({ messages: ask(...(parts as Part[])) });
  expect(told()[0]!.content).toEqual([text("What is it?"), ...parts]);
});

test("a stored chat keeps its pictures by their ids, and each question has its own", async () => {
  const id = await addPicture(ada);
  const chat = await world.call<{ id: string }>("/api/v1/chats/new", { as: ada, json: { chat: { title: "Pier" } } });
  const file = { type: "file", id, name: "pier.png", content_type: "image/png" };
  await complete({
    model: "openai",
    chat_id: chat.body.id,
    messages: [{ role: "user", content: "What is it?" }],
    files: [file],
  });
  await world.settled();
  expect(told()).toEqual([{ role: "user", content: [text("What is it?"), picture(dataUrl)] }]);
  const stored = await world.call<{
    chat: { history: { currentId: string; messages: Record<string, { files?: unknown[] }> } };
  }>(`/api/v1/chats/${chat.body.id}`, { as: ada });
  const { currentId, messages } = stored.body.chat.history;
  expect(JSON.stringify(messages)).not.toContain("base64");
  const next = newId();
  messages[next] = { id: next, parentId: currentId, role: "user", content: "Are you sure?" } as never;
  await world.call(`/api/v1/chats/${chat.body.id}`, {
    as: ada,
    json: { chat: { history: { currentId: next, messages } } },
  });
  const answer = newId();
  messages[answer] = { id: answer, parentId: next, role: "assistant", content: "" } as never;
  await world.call(`/api/v1/chats/${chat.body.id}`, {
    as: ada,
    json: { chat: { history: { currentId: answer, messages } } },
  });
  await complete({ chat_id: chat.body.id, id: answer });
  await world.settled();
  expect(
    told().map(({ role, content }) => [role, Array.isArray(content) ? content.map(({ type }) => type) : "text"]),
  ).toEqual([
    ["user", ["text", "image_url"]],
    ["assistant", "text"],
    ["user", "text"],
  ]);
});
