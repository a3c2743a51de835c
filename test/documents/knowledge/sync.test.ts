import { eq } from "drizzle-orm";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runBatch } from "../../../src/db/batch.ts";
import { files } from "../../../src/documents/files/tables.ts";
import { linkLater, readLinkTarget } from "../../../src/documents/knowledge/link-file.ts";
import type { BaseFiles, DirectoryView, KnowledgeView } from "../../../src/documents/knowledge/schema.ts";
import type { PeerDiff, SyncDiff } from "../../../src/documents/knowledge/sync/schema.ts";
import { sha256Hex } from "../../../src/lib/sha256.ts";
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

const post = <T>(route: string, json: unknown, as = ada) =>
  world.call<T & { code: string }>(`${path}/${base.id}/${route}`, { as, json });
const put = async (at: string | null, text: string) => {
  const id = await world.file(ada, { name: at?.split("/").at(-1) ?? "by-hand.txt", text });
  await post("file/add", { file_id: id, path: at });
  return id;
};
const entry = async (at: string, text: string) => ({ path: at, hash: await sha256Hex(text), size: text.length });

describe("the difference to a source", () => {
  test("names what to send and what to take out, by content", async () => {
    const same = await put("a/same.txt", "same");
    const moved = await put("a/old-name.txt", "moved");
    const changed = await put("a/changed.txt", "before");
    const gone = await put("gone.txt", "gone");
    await put(null, "by hand");
    const late = await world.file(ada, { state: "pending", text: "late" });
    const broken = await world.file(ada, { state: "failed", errorCode: "file_encrypted", text: "broken" });
    for (const [id, at] of [
      [late, "late.txt"],
      [broken, "broken.txt"],
    ] as const)
      await runBatch(
        world.db,
        linkLater(await contextFor(world, ada), id, readLinkTarget({ knowledge_id: base.id, path: at })!),
      );
    const before = await world.db.select().from(files);
    const manifest = [
      await entry("a/same.txt", "same"),
      await entry("b\\new-name.txt", "moved"),
      await entry("a/changed.txt", "after"),
      await entry("new.txt", "new"),
      await entry("twin.txt", "new"),
      await entry("late.txt", "late"),
      await entry("broken.txt", "broken"),
    ];
    const { status, body } = await post<SyncDiff>("sync/diff", { files: manifest });
    expect(status).toBe(200);
    expect(body).toEqual({
      upload: ["a/changed.txt", "new.txt"],
      unchanged: [
        { path: "a/same.txt", file_id: same },
        { path: "b/new-name.txt", file_id: moved },
      ],
      remove: expect.arrayContaining([
        { file_id: changed, path: "a/changed.txt" },
        { file_id: gone, path: "gone.txt" },
      ]) as unknown,
      more: false,
      pending: [{ path: "late.txt", file_id: late }],
      failed: [{ path: "broken.txt", file_id: broken, code: "file_encrypted", error: "It is damaged" }],
      duplicates: [{ path: "twin.txt", of: "new.txt" }],
    });
    expect(body.remove).toHaveLength(2);
    expect(await world.db.select().from(files)).toEqual(before);
  });

  test("is nothing after it was made good", async () => {
    await put("a/changed.txt", "before");
    const wanted = { files: [await entry("a/changed.txt", "after"), await entry("b/new.txt", "new")] };
    const first = (await post<SyncDiff>("sync/diff", wanted)).body;
    const cleaned = await post("sync/cleanup", { file_ids: first.remove.map((each) => each.file_id) });
    expect(cleaned.body).toEqual({ status: true, removed: 1, removed_directories: 0 });
    for (const at of first.upload) await put(at, at === "b/new.txt" ? "new" : "after");
    const second = (await post<SyncDiff>("sync/diff", wanted)).body;
    expect(second).toMatchObject({ upload: [], remove: [], pending: [], failed: [] });
    expect(second.unchanged.map((each) => each.path)).toEqual(["a/changed.txt", "b/new.txt"]);
  });

  test("is for who may change the base, and takes no nonsense", async () => {
    const eve = await world.person();
    expect((await post("sync/diff", { files: [] }, eve)).status).toBe(404);
    await world.call(`${path}/${base.id}/access/update`, {
      as: ada,
      json: { access_grants: [{ principal_type: "user", principal_id: eve.id, permission: "read" }] },
    });
    expect((await post("sync/diff", { files: [] }, eve)).status).toBe(403);
    expect((await post("sync/cleanup", { file_ids: ["x"] }, eve)).status).toBe(403);
    for (const body of [
      {},
      { files: [{ path: "a" }] },
      { files: [{ path: "../a", hash: "0".repeat(64) }] },
      { files: [{ path: "a", hash: "zz" }] },
    ])
      expect((await post("sync/diff", body)).status).toBe(422);
    expect((await post("sync/cleanup", {})).body).toMatchObject({ status: true, removed: 0 });
  });

  test("of twenty thousand files is found", async () => {
    const list = await Promise.all(
      Array.from({ length: 20_000 }, (_, at) => entry(`d${at % 100}/${at}.txt`, String(at))),
    );
    const { status, body } = await post<SyncDiff>("sync/diff", { files: list });
    expect(status).toBe(200);
    expect(body.upload).toHaveLength(20_000);
  });
});

test("a tool of the peer's synchronizes", async () => {
  const manifest = async (entries: [string, string, string][]) => ({
    manifest: await Promise.all(
      entries.map(async ([at, filename, text]) => ({
        path: at,
        filename,
        checksum: await sha256Hex(text),
        size: text.length,
      })),
    ),
  });
  const upload = async (diff: PeerDiff, texts: Record<string, string>) => {
    for (const at of diff.mkdir) {
      const names = at.split("/");
      const parent = diff.directory_map[names.slice(0, -1).join("/")] ?? null;
      const made = await post<DirectoryView>("dirs/create", { name: names.at(-1), parent_id: parent });
      diff.directory_map[at] = made.body.id;
    }
    for (const { path: at, filename } of [...diff.added, ...diff.modified]) {
      const id = await world.file(ada, { name: filename, text: texts[filename]! });
      await post("files/batch/add", [{ file_id: id, directory_id: diff.directory_map[at] ?? null }]);
    }
  };
  const first = await manifest([
    ["", "top.txt", "top"],
    ["docs/api", "deep.txt", "deep"],
    ["old", "old.txt", "old"],
  ]);
  const one = (await post<PeerDiff>("sync/diff", first)).body;
  expect(one).toMatchObject({
    added: [
      { path: "", filename: "top.txt" },
      { path: "docs/api", filename: "deep.txt" },
      { path: "old", filename: "old.txt" },
    ],
    modified: [],
    deleted: [],
    mkdir: ["docs", "old", "docs/api"],
    rmdir: [],
    unmodified_count: 0,
  });
  await upload(one, { "top.txt": "top", "deep.txt": "deep", "old.txt": "old" });
  const second = await manifest([
    ["", "top.txt", "top"],
    ["docs/api", "deep.txt", "deeper"],
  ]);
  const two = (await post<PeerDiff>("sync/diff", second)).body;
  expect(two).toMatchObject({
    added: [],
    modified: [{ path: "docs/api", filename: "deep.txt" }],
    deleted: [{ filename: "old.txt" }],
    mkdir: [],
    unmodified_count: 1,
  });
  expect(two.rmdir).toEqual([two.directory_map["old"]]);
  const stale = [...two.deleted.map((each) => each.file_id), ...two.modified.map((each) => each.stale_file_id)];
  expect((await post("sync/cleanup", { file_ids: stale, dir_ids: two.rmdir })).body).toEqual({
    status: true,
    removed: 2,
    removed_directories: 1,
  });
  await upload(two, { "deep.txt": "deeper" });
  expect((await post<PeerDiff>("sync/diff", second)).body).toMatchObject({
    added: [],
    modified: [],
    deleted: [],
    mkdir: [],
    rmdir: [],
    unmodified_count: 2,
  });
});

test("directories with something in them are not cleaned away", async () => {
  await put("a/b/file.txt", "text");
  const { directories } = (await world.call<BaseFiles>(`${path}/${base.id}/files`, { as: ada })).body;
  const cleaned = await post("sync/cleanup", { dir_ids: directories.map(({ id }) => id) });
  expect(cleaned.body).toMatchObject({ removed_directories: 0 });
});

test("an export holds all files as they came", async () => {
  await put("a/tides.txt", "High water at six — Ebbe um zwölf");
  await put("a/tides:2.txt", "second");
  const twin = await world.file(ada, { name: "tides:2.txt", text: "third" });
  const { directories } = (await world.call<BaseFiles>(`${path}/${base.id}/files`, { as: ada })).body;
  await post("file/add", { file_id: twin, directory_id: directories[0]!.id });
  await put(null, "at the top");
  const lost = await put(null, "its bytes are gone");
  await world.services.blobs.delete([`files/${lost}`]);
  const response = await world.request(`${path}/${base.id}/export`, { as: ada });
  expect(response.headers.get("content-type")).toBe("application/zip");
  const unpacked = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const texts = Object.fromEntries(
    Object.entries(unpacked).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  );
  expect(texts).toEqual({
    "a/tides.txt": "High water at six — Ebbe um zwölf",
    "a/tides_2.txt": "second",
    "a/tides_2 (2).txt": "third",
    "by-hand.txt": "at the top",
  });
  const eve = await world.person();
  await world.call(`${path}/${base.id}/access/update`, {
    as: ada,
    json: { access_grants: [{ principal_type: "user", principal_id: eve.id, permission: "read" }] },
  });
  expect((await world.call(`${path}/${base.id}/export`, { as: eve })).status).toBe(403);
});

test("what is too much for a zip file is said", async () => {
  const file = await put("big.bin", "big");
  await world.db.update(files).set({ size: 5_000_000_000 }).where(eq(files.id, file));
  expect((await world.call(`${path}/${base.id}/export`, { as: ada })).status).toBe(413);
});
