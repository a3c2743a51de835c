import { createHash } from "node:crypto";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BaseFiles, KnowledgeView, KnowledgeWithFiles } from "../../src/documents/knowledge/schema.ts";
import type { SyncDiff } from "../../src/documents/knowledge/sync/schema.ts";
import { ada, signUpByApi } from "../browser/accounts.ts";
import { startParley, type Parley } from "./start-parley.ts";

let parley: Parley;
let headers: Record<string, string>;
let base: KnowledgeView;

async function call<T>(path: string, json?: unknown, method = json === undefined ? "GET" : "POST") {
  const response = await fetch(parley.url + path, {
    method,
    headers: { ...headers, ...(json === undefined ? {} : { "content-type": "application/json" }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}
async function upload(name: string, text: string, metadata?: unknown): Promise<string> {
  const form = new FormData();
  form.append("file", new File([text], name));
  if (metadata) form.append("metadata", JSON.stringify(metadata));
  const response = await fetch(`${parley.url}/api/v1/files/`, { method: "POST", headers, body: form });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}
/** Reads a stream of events to its end. @returns its frames, comments left out */
async function frames<T>(path: string): Promise<T[]> {
  const response = await fetch(parley.url + path, { headers });
  return (await response.text())
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: "))
    .map((frame) => JSON.parse(frame.slice("data: ".length)) as T);
}

beforeAll(async () => {
  parley = await startParley();
  const { token } = await signUpByApi(parley.url, ada);
  headers = { authorization: `Bearer ${token}` };
  base = (await call<KnowledgeView>("/api/v1/knowledge/create", { name: "Harbour", description: "" })).body;
}, 180_000);
afterAll(() => parley?.stop());

test("a file is uploaded, waited for and added, in the contract's order", async () => {
  const file = await upload("tides.txt", "High water at six, low water at noon. ".repeat(20_000));
  const add = () =>
    call<KnowledgeWithFiles & { code: string }>(`/api/v1/knowledge/${base.id}/file/add`, { file_id: file });
  // Too early is 400, and does no harm; where it was read in no time, it is in.
  const early = await add();
  expect([
    [200, undefined],
    [400, "file_processing"],
  ]).toContainEqual([early.status, early.body.code]);
  const states = await frames<{ status: string }>(`/api/v1/files/${file}/process/status?stream=true`);
  expect(states.at(-1)).toMatchObject({ status: "completed" });
  const added = await add();
  expect(added.status).toBe(200);
  expect(added.body.files.map(({ id }) => id)).toEqual([file]);
  await call(`/api/v1/knowledge/${base.id}/file/remove`, { file_id: file });
});

test("a folder is synchronized, exported and emptied", async () => {
  const path = `/api/v1/knowledge/${base.id}`;
  const texts = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`d${at % 3}/f${at}.md`, `# File ${at}\n\nThe tide of ${at}.`]),
  );
  const files = Object.entries(texts).map(([at, text]) => ({
    path: at,
    hash: createHash("sha256").update(text).digest("hex"),
  }));
  const first = (await call<SyncDiff>(`${path}/sync/diff`, { files })).body;
  expect(first.upload).toEqual(Object.keys(texts));
  await Promise.all(
    first.upload.map((at) => upload(at.split("/").at(-1)!, texts[at]!, { knowledge_id: base.id, path: at })),
  );
  expect((await frames<unknown[]>(`${path}/files/pending?stream=true`)).at(-1)).toEqual([]);
  const second = (await call<SyncDiff>(`${path}/sync/diff`, { files })).body;
  expect(second).toMatchObject({ upload: [], remove: [], pending: [], failed: [] });
  expect(second.unchanged).toHaveLength(30);
  const listed = (await call<BaseFiles>(`${path}/files`)).body;
  expect({ total: listed.total, directories: listed.directories.map(({ name }) => name) }).toEqual({
    total: 30,
    directories: ["d0", "d1", "d2"],
  });
  const zip = await fetch(`${parley.url}${path}/export`, { headers });
  const unpacked = Object.entries(unzipSync(new Uint8Array(await zip.arrayBuffer())));
  expect(Object.fromEntries(unpacked.map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]))).toEqual(texts);
  expect((await call<KnowledgeView>(`${path}/reset`, undefined, "POST")).body.file_count).toBe(0);
  expect((await call<number>("/api/v1/files/count")).body).toBe(0);
}, 120_000);
