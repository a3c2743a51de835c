import { zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ImportedKnowledge } from "../../../src/documents/knowledge/schema.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { runAllJobs } from "../files/run-jobs.ts";

let world: World;
let ada: Person;
beforeEach(async () => {
  world = await createWorld({ environment: { RAG_ALLOWED_FILE_EXTENSIONS: "txt,md", RAG_FILE_MAX_SIZE: "1" } });
  ada = await world.person();
  await world.client.execute({
    sql: "INSERT INTO settings (name, value, updated_at) VALUES ('permissions.default', ?, 0)",
    args: [JSON.stringify({ workspace: { knowledge: true } })],
  });
});
afterEach(() => world.close());

const bytesOf = (text: string) => new TextEncoder().encode(text);
const put = async (zip: Uint8Array, name = "Harbour", as = ada) => {
  const response = await world.request(`/api/v1/knowledge/import?name=${encodeURIComponent(name)}`, {
    as,
    method: "POST",
    headers: { "content-type": "application/zip" },
    body: zip as Uint8Array<ArrayBuffer>,
  });
  return { status: response.status, body: (await response.json()) as ImportedKnowledge & { detail: string } };
};
/** What there is of a person's: nothing of it may be left of an import that failed. */
const left = async () => {
  const counts = await Promise.all(
    ["knowledge", "files", "uploads", "knowledge_waiting", "knowledge_directories", "jobs"].map(async (table) => {
      const { rows } = await world.client.execute(`SELECT count(*) AS count FROM ${table}`);
      return Number(rows[0]!["count"]);
    }),
  );
  const { rows } = await world.client.execute(
    "SELECT coalesce(sum(bytes + held_bytes), 0) AS bytes FROM person_totals",
  );
  return [...counts, Number(rows[0]!["bytes"])];
};
const nothing = [0, 0, 0, 0, 0, 0, 0];

describe("a knowledge base from a zip file", () => {
  it("has its files in directories, each content once, and gives them back", async () => {
    const zip = zipSync({
      "tides.txt": [bytesOf("High at eight"), { level: 0 }],
      "rules/berths.md": bytesOf("# Berths\n\nAsk first."),
      "rules/again.txt": bytesOf("High at eight"),
      "rules/deep/er/ferries.txt": bytesOf("Every hour. ".repeat(200)),
      "__MACOSX/._tides.txt": bytesOf("x"),
      "rules/.DS_Store": bytesOf("x"),
      "empty/": new Uint8Array(),
    });
    const { status, body } = await put(zip);
    expect(status, body.detail).toBe(200);
    expect(body).toMatchObject({ name: "Harbour", imported: 3, duplicates: 1, access_grants: [], write_access: true });
    await runAllJobs(world);
    const list = await world.call<{ items: { filename: string }[]; directories: { name: string }[] }>(
      `/api/v1/knowledge/${body.id}/files?directory_id=`,
      { as: ada },
    );
    expect(list.body.items.map(({ filename }) => filename)).toEqual(["tides.txt"]);
    expect(list.body.directories.map(({ name }) => name)).toEqual(["rules"]);

    const exported = await world.request(`/api/v1/knowledge/${body.id}/export`, { as: ada });
    const again = await put(new Uint8Array(await exported.arrayBuffer()), "Again");
    expect(again.body, again.body.detail).toMatchObject({ name: "Again", imported: 3, duplicates: 0 });
    const { rows } = await world.client.execute({
      sql: "SELECT path FROM knowledge_waiting WHERE knowledge_id = ? ORDER BY path",
      args: [again.body.id],
    });
    expect(rows.map((row) => row["path"])).toEqual(["rules/berths.md", "rules/deep/er/ferries.txt", "tides.txt"]);
    const { rows: uploads } = await world.client.execute("SELECT id FROM uploads");
    expect(uploads).toEqual([]);
  });

  it.each([
    ["no zip file", bytesOf("High at eight"), /not a zip file/],
    ["nothing", new Uint8Array(), /not a zip file|Expected a zip file/],
    ["half of one", zipSync({ "a.txt": bytesOf("x".repeat(500)) }).slice(0, 60), /not a zip file/],
    ["no files", zipSync({ "a/": new Uint8Array() }), /no files/],
    ["a path that leads out", zipSync({ "ok.txt": bytesOf("x"), "../out.txt": bytesOf("y") }), /not a path/],
    ["an absolute path", zipSync({ "ok.txt": bytesOf("x"), "/etc/out.txt": bytesOf("y") }), /not a path/],
    ["a type that is not allowed", zipSync({ "ok.txt": bytesOf("x"), "run.exe": bytesOf("y") }), /file types/],
    ["a file that is too large", zipSync({ "ok.txt": bytesOf("x"), "big.txt": new Uint8Array(2_000_000) }), /1 MB/],
    [
      "too many files",
      zipSync(Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`${at}.txt`, bytesOf(`${at}`)]))),
      /limit is 500/,
    ],
  ])("with %s is refused with the reason, and nothing is left of it", async (_, zip, reason) => {
    const { status, body } = await put(zip);
    expect([400, 413, 415]).toContain(status);
    expect(body.detail).toMatch(reason);
    await world.settled();
    expect(await left()).toEqual(nothing);
  });

  it("whose last file is damaged leaves none of the first ones", async () => {
    const zip = zipSync({ "a.txt": bytesOf("x".repeat(50)), "b.txt": [bytesOf("Ahoy there"), { level: 0 }] });
    const at = Buffer.from(zip).indexOf("Ahoy");
    zip[at] = zip[at]! ^ 1;
    expect(await put(zip)).toMatchObject({ status: 400, body: { detail: "b.txt is damaged" } });
    expect(await left()).toEqual(nothing);
  });

  it("for which there is no room is refused, and nothing is left of it", async () => {
    await world.client.execute({
      sql: "INSERT INTO settings (name, value, updated_at) VALUES ('MAX_PERSON_STORAGE', '1', 0)",
      args: [],
    });
    const zip = zipSync(
      Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`${at}.txt`, new Uint8Array(400_000).fill(65 + at)])),
    );
    const { status } = await put(zip);
    expect([409, 413, 507]).toContain(status);
    expect(await left()).toEqual(nothing);
  });

  it("is for those who may create bases and upload files", async () => {
    const zip = zipSync({ "a.txt": bytesOf("x") });
    for (const value of [
      { workspace: { knowledge: false } },
      { workspace: { knowledge: true }, chat: { file_upload: false } },
    ]) {
      await world.client.execute({
        sql: "UPDATE settings SET value = ? WHERE name = 'permissions.default'",
        args: [JSON.stringify(value)],
      });
      expect((await put(zip)).status).toBe(403);
    }
    expect(await left()).toEqual(nothing);
  });

  it("with a name that cannot be one is refused", async () => {
    expect((await put(zipSync({ "a.txt": bytesOf("x") }), " ")).status).toBe(422);
    expect(await left()).toEqual(nothing);
  });
});
