import { createHash } from "node:crypto";
import { strToU8, unzipSync, zipSync } from "fflate";
import { afterEach, beforeEach, expect, test } from "vitest";
import { upload } from "../documents/files/run-jobs.ts";
import { createMemoryBlobs } from "../memory-blobs.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { makeChannel, makeChat, makeFile, post } from "./old-things.ts";

let world: World;
let admin: Person;
let ada: Person;
const blobs = createMemoryBlobs();
beforeEach(async () => {
  world = await createWorld({ services: { blobs } });
  admin = await world.admin();
  ada = await world.person({ name: "Ada Sund", email: "ada@harbour.example" });
});
afterEach(() => world.close());

const own = "/api/v1/data-copy";
async function unpack(path: string, as: Person) {
  const response = await world.request(path, { as });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const text = (name: string) => new TextDecoder().decode(files[name]);
  const json = <T>(name: string) => JSON.parse(text(`${name}.json`)) as T;
  const lines = (kind: string) =>
    text(`${kind}.jsonl`)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { names: Object.keys(files), files, json, lines };
}

async function fill(): Promise<void> {
  const file = await makeFile(world, ada, "high water at noon", "tides.md");
  await makeFile(world, ada, "again", "tides.md");
  for (let number = 0; number < 12; number++)
    await makeChat(world, ada, { title: `Chat ${number}`, files: [{ type: "file", id: file }] });
  await post(world, ada, await makeChannel(world, ada), { content: "Fog until ten" });
  await world.call("/api/v1/auths/api_key", { as: ada, method: "POST" });
  await world.call("/api/v1/memories/add", { as: ada, json: { content: "Sails on Sundays" } });
  await world.call("/api/v1/memories/add", { as: admin, json: { content: "Not hers" } });
  for (const [as, comment] of [
    [ada, "Clear"],
    [admin, "Not hers"],
  ] as const)
    await world.call("/api/v1/evaluations/feedback", { as, json: { type: "rating", data: { rating: 1, comment } } });
  await makeChat(world, admin, { title: "Not hers" });
}

test("has all that there is of the person, and nothing of others", async () => {
  await fill();
  const { names, files, json, lines } = await unpack(own, ada);
  expect(names).toContain("README.txt");
  expect(json("profile")).toMatchObject({ id: ada.id, name: "Ada Sund", email: "ada@harbour.example", groups: [] });
  expect(lines("chat")).toHaveLength(12);
  expect(json("more/channel-messages")).toMatchObject([{ content: "Fog until ten" }]);
  expect(lines("person")).toMatchObject([{ id: ada.id, role: "user" }]);
  expect(lines("memory")).toMatchObject([{ content: "Sails on Sundays", source: "person", chat_id: null }]);
  expect(lines("file").map(({ path }) => path)).toEqual(["files/tides.md", "files/tides (2).md"]);
  expect(json("more/ratings")).toMatchObject([{ type: "rating", data: { rating: 1, comment: "Clear" } }]);
  expect(json("more/sessions")).toHaveLength(1);
  expect(new TextDecoder().decode(files["files/tides.md"])).toBe("high water at noon");
  expect(new TextDecoder().decode(files["files/tides (2).md"])).toBe("again");
  expect(json("manifest")).toMatchObject({
    format: "parley-export",
    scope: "person",
    complete: true,
    counts: { "channel-messages": 1, sessions: 1 },
    file_contents: 2,
    files_left_out: [],
  });
  for (const entry of json<{ kinds: { file: string; records: number; bytes: number; sha256: string }[] }>("manifest")
    .kinds) {
    const bytes = files[entry.file]!;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(entry).toMatchObject({
      records: lines(entry.file.replace(".jsonl", "")).length,
      bytes: bytes.length,
      sha256,
    });
  }
  const everything = Object.values(files)
    .map((bytes) => new TextDecoder().decode(bytes))
    .join("\n");
  expect(everything).not.toContain("Not hers");
  expect(everything).not.toMatch(/sealed|token_hash|\$scrypt/);
  expect(everything.match(/"hash"/)).toBeNull();
  const { rows } = await world.client.execute(
    "SELECT actor_id, target_id FROM audit_events WHERE action = 'person.data_copied'",
  );
  expect(rows).toMatchObject([{ actor_id: ada.id, target_id: ada.id }]);
});

test("its chats can be imported again from the zip file itself, and nothing from zip files in it", async () => {
  await fill();
  const nested = zipSync({ "conversations.json": strToU8("[1]"), "chat.jsonl": strToU8('{"chat":1}\n') });
  await upload(world, ada, nested, { name: "old.zip", query: "?process=false" });
  const { id: folder } = (await world.call<{ id: string }>("/api/v1/folders/", { as: ada, json: { name: "Sea" } }))
    .body;
  const chat = await makeChat(world, ada, { title: "In a folder" });
  await world.call(`/api/v1/chats/${chat}/folder`, { as: ada, json: { folder_id: folder } });
  const response = await world.request(own, { as: ada });
  const bo = await world.person({ name: "Bo" });
  const { body } = await world.call<{ imported: number; left_out: unknown[]; complete: boolean; changes: object }>(
    "/api/v1/chats/import/file",
    {
      as: bo,
      method: "POST",
      body: new Uint8Array(await response.arrayBuffer()),
      headers: { "content-type": "application/octet-stream" },
    },
  );
  expect(body).toMatchObject({ imported: 13, left_out: [], complete: true, changes: { folders_left_out: 0 } });
  expect((await world.call("/api/v1/folders/", { as: bo })).body).toMatchObject([{ name: "Sea" }]);
});

test("an administrator can make it for somebody else, other people cannot", async () => {
  await fill();
  const { lines } = await unpack(`/api/v1/users/${ada.id}/data-copy`, admin);
  expect(lines("chat")).toHaveLength(12);
  expect((await world.call(`/api/v1/users/${admin.id}/data-copy`, { as: ada })).status).toBe(403);
  expect((await world.call("/api/v1/users/nobody/data-copy", { as: admin })).status).toBe(404);
});

test("one at a time for a person; a broken off one makes room at once, a lost one after a minute", async () => {
  expect((await world.request(own, { as: ada, method: "HEAD" })).status).toBe(200);
  const first = await world.request(own, { as: ada });
  expect((await world.call(own, { as: ada })).status).toBe(409);
  expect((await world.request(`/api/v1/users/${admin.id}/data-copy`, { as: admin })).status).toBe(200);
  await first.body!.cancel();
  const second = await world.request(own, { as: ada });
  expect(second.status).toBe(200);
  world.advance(61);
  await unpack(own, ada);
  expect(
    (await world.client.execute({ sql: "SELECT * FROM data_copies WHERE user_id = ?", args: [ada.id] })).rows,
  ).toEqual([]);
});

test("streams: what nobody has read yet is not in memory", async () => {
  const id = await makeFile(world, ada, "x", "large.bin");
  const piece = new Uint8Array(64 * 1024);
  const total = 64 * 16;
  let read = 0;
  const { get } = blobs;
  blobs.get = async (key, range) => {
    if (key !== `files/${id}`) return get(key, range);
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (read++ < total) controller.enqueue(piece);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    return { body, size: total * piece.length };
  };
  const reader = (await world.request(own, { as: ada })).body!.getReader();
  let received = 0;
  let most = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    received += value.length;
    most = Math.max(most, read * piece.length - received);
  }
  blobs.get = get;
  expect(received).toBeGreaterThan(total * piece.length);
  // What is on its way: a few pieces of 64 MB.
  expect(most).toBeLessThan(4 * piece.length);
});
