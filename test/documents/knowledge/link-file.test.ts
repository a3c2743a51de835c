import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Context } from "../../../src/context.ts";
import { runBatch } from "../../../src/db/batch.ts";
import { files } from "../../../src/documents/files/tables.ts";
import {
  checkLinkTarget,
  linkFileReady,
  linkLater,
  readLinkTarget,
} from "../../../src/documents/knowledge/link-file.ts";
import type { BaseFiles, KnowledgeView, PendingFile } from "../../../src/documents/knowledge/schema.ts";
import { knowledgeWaiting } from "../../../src/documents/knowledge/tables.ts";
import { contextFor } from "../../models/context-for.ts";
import type { Person } from "../../world.ts";
import { createBaseWorld, type BaseWorld } from "./base-world.ts";

const path = "/api/v1/knowledge";
let world: BaseWorld;
let ada: Person;
let base: KnowledgeView;
beforeAll(async () => {
  world = await createBaseWorld();
  await world.allowAll();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  base = await world.base(ada);
});

const target = (values: Record<string, unknown> = {}) => readLinkTarget({ knowledge_id: base.id, ...values })!;
const contextOf = (person: Person): Promise<Context> => contextFor(world, person);

async function send(person: Person, file: Parameters<BaseWorld["file"]>[1], values: Record<string, unknown> = {}) {
  const id = await world.file(person, { state: "pending", ...file });
  await runBatch(world.db, linkLater(await contextOf(person), id, target(values)));
  return id;
}
const linkReady = (id: string) => world.db.batch(linkFileReady(world.db, id));
async function finish(id: string) {
  await world.db
    .update(files)
    .set({ state: "completed", stage: null, version: 1, textSha256: id })
    .where(eq(files.id, id));
  await linkReady(id);
}
const listed = async (query = "") =>
  (await world.call<BaseFiles>(`${path}/${base.id}/files?${query}`, { as: ada })).body;
const pending = async (as = ada) => (await world.call<PendingFile[]>(`${path}/${base.id}/files/pending`, { as })).body;

test("a file that was sent for a base is in it from when it has a text", async () => {
  const file = await send(ada, { name: "tides.pdf" }, { path: "handbook\\./harbour//tides.pdf" });
  expect((await listed()).items).toEqual([]);
  expect(await pending()).toMatchObject([
    { id: file, data: { status: "pending" }, linked: false, duplicate_of: null, path: "handbook/harbour/tides.pdf" },
  ]);
  await linkReady(file);
  expect((await listed()).items).toEqual([]);
  await finish(file);
  await finish(file);
  const { items, directories } = await listed();
  expect(items).toMatchObject([{ id: file, path: "handbook/harbour/tides.pdf" }]);
  expect(await pending()).toEqual([]);
  const [harbour, handbook] = [...directories].sort((a, b) => (a.parent_id ? -1 : 1) - (b.parent_id ? -1 : 1));
  expect([handbook!.name, harbour!.name]).toEqual(["handbook", "harbour"]);
  expect(harbour!.parent_id).toBe(handbook!.id);
  expect(items[0]!.directory_id).toBe(harbour!.id);
});

test("what fails stays on the list with its reason, and can be taken off", async () => {
  const file = await send(ada, {});
  await world.db
    .update(files)
    .set({ state: "failed", stage: null, errorCode: "file_no_text", error: "Only pictures" })
    .where(eq(files.id, file));
  expect(await pending()).toMatchObject([{ id: file, data: { status: "failed", code: "file_no_text" } }]);
  await world.call(`${path}/${base.id}/file/remove`, { as: ada, json: { file_id: file } });
  expect(await pending()).toEqual([]);
  expect((await world.call(`/api/v1/files/${file}`, { as: ada })).status).toBe(404);
});

test("a second file of the same content waits, and takes the place of the first when that goes", async () => {
  const first = await send(ada, { text: "High water" });
  const second = await send(ada, { text: "High water", name: "copy.txt" });
  await finish(first);
  await finish(second);
  expect((await listed()).items.map(({ id }) => id)).toEqual([first]);
  expect(await pending()).toMatchObject([{ id: second, duplicate_of: { file_id: first, filename: "tides.txt" } }]);
  await world.call(`${path}/${base.id}/file/remove`, { as: ada, json: { file_id: first } });
  expect((await listed()).items.map(({ id }) => id)).toEqual([second]);
  expect(await pending()).toEqual([]);
});

test("files of the same content that come to their ends together make one link", async () => {
  const sent = await Promise.all(Array.from({ length: 6 }, () => send(ada, { text: "At the same time" })));
  await Promise.all(sent.map((id) => finish(id)));
  expect((await listed()).items).toHaveLength(1);
  expect(await pending()).toHaveLength(5);
});

test("nothing comes in from somebody who has lost the right meanwhile", async () => {
  const eve = await world.person();
  const write = [{ principal_type: "user", principal_id: eve.id, permission: "write" }];
  const share = (grants: unknown[]) =>
    world.call(`${path}/${base.id}/access/update`, { as: ada, json: { access_grants: grants } });
  await share(write);
  const file = await send(eve, {});
  expect(await pending(eve)).toMatchObject([{ id: file }]);
  await share([]);
  await finish(file);
  expect((await listed()).items).toEqual([]);
  expect(await world.db.select().from(knowledgeWaiting).where(eq(knowledgeWaiting.fileId, file))).toEqual([]);
});

test("readers see neither what others send nor what fails", async () => {
  const eve = await world.person();
  await world.call(`${path}/${base.id}/access/update`, {
    as: ada,
    json: { access_grants: [{ principal_type: "user", principal_id: eve.id, permission: "read" }] },
  });
  await send(ada, {});
  expect(await pending(eve)).toEqual([]);
  const ready = await world.file(ada);
  await world.call(`${path}/${base.id}/file/add`, { as: ada, json: { file_id: ready } });
  await world.db.update(files).set({ state: "pending", stage: "extracting" }).where(eq(files.id, ready));
  expect(await pending(eve)).toMatchObject([{ id: ready, linked: true }]);
});

test("an upload is told at once where it cannot go", async () => {
  const eve = await world.person();
  const [own, other] = [await contextOf(ada), await contextOf(eve)];
  await checkLinkTarget(own, target());
  await expect(checkLinkTarget(other, target())).rejects.toMatchObject({ code: "not_found" });
  await expect(checkLinkTarget(own, target({ directory_id: "none" }))).rejects.toMatchObject({ code: "not_found" });
  await world.call(`${path}/${base.id}/access/update`, {
    as: ada,
    json: { access_grants: [{ principal_type: "user", principal_id: eve.id, permission: "read" }] },
  });
  await expect(checkLinkTarget(await contextOf(eve), target())).rejects.toMatchObject({ code: "forbidden" });
  const file = await send(eve, {});
  expect(await world.db.select().from(knowledgeWaiting).where(eq(knowledgeWaiting.fileId, file))).toEqual([]);
});

test.each([
  ["no text", { knowledge_id: 7 }],
  ["a way out", { knowledge_id: "a", path: "../etc/passwd" }],
  ["nothing but slashes", { knowledge_id: "a", path: "///" }],
  ["too deep", { knowledge_id: "a", path: Array.from({ length: 30 }, () => "d").join("/") }],
  ["a control character", { knowledge_id: "a", path: "a\u0000b" }],
])("metadata with %s is refused", (_, metadata) => {
  expect(() => readLinkTarget(metadata)).toThrow(expect.objectContaining({ code: "validation_failed" }));
});

test("metadata without a base names none", () => {
  expect(readLinkTarget({ file_hash: "x" })).toBeUndefined();
  expect(readLinkTarget({ knowledge_id: null })).toBeUndefined();
});

test("the list of what is coming is streamed until nothing is being read", async () => {
  const file = await send(ada, {});
  const response = await world.request(`${path}/${base.id}/files/pending?stream=true`, { as: ada });
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader.read();
  expect(JSON.parse(first.value!.slice("data: ".length))).toMatchObject([{ id: file }]);
  await finish(file);
  expect((await reader.read()).value).toBe("data: []\n\n");
  expect((await reader.read()).done).toBe(true);
});
