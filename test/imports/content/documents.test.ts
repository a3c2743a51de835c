import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FolderView } from "../../../src/chat/folders/schema.ts";
import { newId } from "../../../src/lib/id.ts";
import { sha256Hex } from "../../../src/lib/sha256.ts";
import { runAllJobs } from "../../documents/files/run-jobs.ts";
import type { Person } from "../../world.ts";
import { createImportWorld, type ImportWorld } from "./import-world.ts";

let world: ImportWorld;
let ada: Person;

beforeAll(async () => {
  world = await createImportWorld();
  ada = await world.person();
  await world.know("owui-ada", ada);
});
afterAll(() => world.close());

const base = (id: string, more: Record<string, unknown> = {}) => ({
  kind: "knowledge",
  id,
  person_id: "owui-ada",
  name: "Harbour",
  description: "Rules",
  created_at: 1_600_000_000,
  updated_at: 1_600_000_100,
  ...more,
});
const query = {
  person_id: "owui-ada",
  name: "../../etc/tides.md",
  content_type: "text/markdown",
  created_at: "1600000000",
};

describe("a file", () => {
  test("arrives with its bytes under its id, once, and is read in the background", async () => {
    const id = newId();
    const text = `# Tides ${id}`;
    const { status, body } = await world.putFile(id, text, query);
    expect(status).toBe(200);
    expect(body).toEqual({ kind: "file", id, state: "created", earlier: false, target_id: id, notes: [] });
    const file = await world.call<Record<string, unknown>>(`/api/v1/files/${id}`, { as: ada });
    expect(file.body).toMatchObject({
      id,
      user_id: ada.id,
      filename: "tides.md",
      created_at: 1_600_000_000,
      hash: await sha256Hex(text),
    });
    expect(await (await world.request(`/api/v1/files/${id}/content`, { as: ada })).text()).toBe(text);
    const told = sql`SELECT actor_id FROM audit_events WHERE action = 'file.uploaded' AND target_id = ${id}`;
    expect(await world.db.all(told)).toEqual([{ actor_id: world.grace.id }]);
    expect((await world.putFile(id, "other", query)).body).toMatchObject({ state: "created", earlier: true });
    expect(await (await world.request(`/api/v1/files/${id}/content`, { as: ada })).text()).toBe(text);
    await runAllJobs(world);
    expect((await world.call(`/api/v1/files/${id}`, { as: ada })).body).toMatchObject({
      data: { status: "completed" },
    });
  });

  test("that was interrupted leaves nothing, and comes when it is sent again", async () => {
    const id = newId();
    let sent = false;
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) return controller.error(new Error("the sender went away"));
        sent = true;
        controller.enqueue(new TextEncoder().encode("half"));
      },
    });
    await world.putFile(id, broken, query).catch(() => undefined);
    await world.settled();
    expect(
      await world.db.all(sql`SELECT id FROM files WHERE id = ${id} UNION SELECT id FROM uploads WHERE id = ${id}`),
    ).toEqual([]);
    expect(await world.db.all(sql`SELECT 1 FROM import_items WHERE source_id = ${id}`)).toEqual([]);
    // As a process leaves it that was killed before it could take anything away.
    await world.db
      .run(sql`INSERT INTO uploads (id, user_id, key, storage_id, filename, content_type, held_bytes, meta, created_at, expires_at)
      VALUES (${id}, ${ada.id}, ${`files/${id}`}, ${id}, '', '', 0, '{}', 1, 2)`);
    expect((await world.putFile(id, "whole", query)).body).toMatchObject({ state: "created", target_id: id });
  });

  test("whose id is taken, or is none that can be kept, gets another one", async () => {
    const id = newId();
    await world.putFile(id, "first", query);
    await world.db.run(sql`DELETE FROM import_items WHERE source_id = ${id}`);
    const { body } = await world.putFile(id, "second", query);
    expect(body).toMatchObject({
      state: "changed",
      notes: [`Its id was taken or isn't allowed: it is ${body.target_id} here`],
    });
    expect(body.target_id).not.toBe(id);
    const odd = await world.putFile("../../secret", "third", query);
    expect(odd.body.state).toBe("changed");
    expect(odd.body.target_id).toMatch(/^[\w-]+$/);
  });

  test("that is too large, or without an owner, is in the report with the reason", async () => {
    await world.db.run(sql`INSERT INTO settings (name, value, updated_at) VALUES ('RAG_FILE_MAX_SIZE', '1', 1)`);
    const large = await world.putFile(newId(), "x".repeat(1_100_000), query);
    expect(large).toMatchObject({ status: 200, body: { state: "failed", notes: ["Files can have at most 1 MB"] } });
    const { body } = await world.putFile(newId(), "x", { ...query, person_id: "nobody" });
    expect(body).toMatchObject({ state: "left_out", target_id: null, notes: ["Its owner wasn't imported"] });
    await world.db.run(sql`DELETE FROM settings WHERE name = 'RAG_FILE_MAX_SIZE'`);
  });

  test("is for system administrators", async () => {
    const path = `/api/v1/imports/${world.importId}/files/${newId()}?person_id=owui-ada&name=a.txt`;
    expect((await world.call(path, { as: ada, method: "PUT", body: "x" })).status).toBe(403);
    expect((await world.call(path, { method: "PUT", body: "x" })).status).toBe(401);
    const unknown = `/api/v1/imports/${newId()}/files/${newId()}?person_id=owui-ada&name=a.txt`;
    expect((await world.call(unknown, { as: world.grace, method: "PUT", body: "x" })).status).toBe(404);
  });
});

describe("a knowledge base", () => {
  test("arrives with directories, and with files as soon as they are read", async () => {
    const [id, outer, inner, file] = [newId(), newId(), newId(), newId()];
    await world.putFile(file, `Text ${file}`, { ...query, name: "a.md" });
    const results = await world.post([
      base(id, { access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] }),
      { kind: "knowledge_directory", id: outer, knowledge_id: id, name: "Rules" },
      { kind: "knowledge_directory", id: inner, knowledge_id: id, parent_id: outer, name: "Old" },
      { kind: "knowledge_directory", id: newId(), knowledge_id: id, parent_id: outer, name: "Old" },
      { kind: "knowledge_directory", id: newId(), knowledge_id: id, parent_id: "gone", name: "a/b" },
      { kind: "knowledge_file", id: "link", knowledge_id: id, file_id: file, directory_id: inner },
      { kind: "knowledge_file", id: "link 2", knowledge_id: id, file_id: "missing" },
    ]);
    expect(results.map(({ state }) => state)).toEqual([
      "created",
      "created",
      "created",
      "changed",
      "changed",
      "created",
      "left_out",
    ]);
    await runAllJobs(world);
    const reader = await world.person();
    expect((await world.call(`/api/v1/knowledge/${id}`, { as: reader })).body).toMatchObject({
      name: "Harbour",
      description: "Rules",
      user_id: ada.id,
      created_at: 1_600_000_000,
      write_access: false,
    });
    const links = await world.db.all(
      sql`SELECT file_id, directory_id, user_id FROM knowledge_files WHERE knowledge_id = ${id}`,
    );
    expect(links).toEqual([{ file_id: file, directory_id: inner, user_id: ada.id }]);
    const names = await world.db.all<{ name: string }>(
      sql`SELECT name FROM knowledge_directories WHERE knowledge_id = ${id} ORDER BY name`,
    );
    expect(names.map(({ name }) => name)).toEqual(["Old", "Old (2)", "Rules", "a-b"]);
  });

  test("of somebody who is switched off gets its files all the same", async () => {
    const [id, file] = [newId(), newId()];
    const away = await world.person({ active: false });
    await world.know("owui-away", away);
    await world.putFile(file, `Text ${file}`, { ...query, person_id: "owui-away", name: "a.md" });
    await world.post([
      base(id, { person_id: "owui-away" }),
      { kind: "knowledge_file", id: `link ${id}`, knowledge_id: id, file_id: file },
    ]);
    await runAllJobs(world);
    expect(await world.db.all(sql`SELECT file_id FROM knowledge_files WHERE knowledge_id = ${id}`)).toEqual([
      { file_id: file },
    ]);
  });
});

describe("a folder", () => {
  const folder = (id: string, more: Record<string, unknown> = {}) => ({
    kind: "folder",
    id,
    person_id: "owui-ada",
    name: "Ships",
    ...more,
  });
  const folderOf = async (id: string) => (await world.call<FolderView>(`/api/v1/folders/${id}`, { as: ada })).body;

  test("arrives in its parent, with instructions, models, files and knowledge", async () => {
    const [outer, inner, knowledgeId, file] = [newId(), newId(), newId(), newId()];
    await world.putFile(file, "x", { ...query, name: "a.md" });
    const results = await world.post([
      base(knowledgeId),
      folder(outer, { meta: { icon: "⛵" }, is_expanded: true, created_at: 1_600_000_000 }),
      folder(inner, {
        parent_id: outer,
        instructions: "Be brief",
        model_ids: ["gull"],
        files: [
          { type: "file", id: file },
          { type: "collection", id: knowledgeId },
          { type: "file", id: "gone" },
        ],
      }),
    ]);
    expect(results.map(({ state }) => state)).toEqual(["created", "created", "changed"]);
    expect(await folderOf(outer)).toMatchObject({
      name: "Ships",
      meta: { icon: "⛵" },
      is_expanded: true,
      created_at: 1_600_000_000,
      parent_id: null,
    });
    expect(await folderOf(inner)).toMatchObject({
      parent_id: outer,
      data: {
        system_prompt: "Be brief",
        model_ids: ["gull"],
        files: [
          { type: "file", id: file },
          { type: "collection", id: knowledgeId },
        ],
      },
    });
  });

  test("with a name that is taken beside it is renamed; in a folder of somebody else it is at the top", async () => {
    const other = await world.person();
    await world.know("owui-other", other);
    const [one, two, theirs, three] = [newId(), newId(), newId(), newId()];
    const results = await world.post([
      folder(one, { name: "Twice" }),
      folder(two, { name: "twice" }),
      folder(theirs, { person_id: "owui-other", name: "Theirs" }),
      folder(three, { name: "<b>Mine</b>", parent_id: theirs }),
    ]);
    expect(results.map(({ state }) => state)).toEqual(["created", "changed", "created", "changed"]);
    expect((await folderOf(two)).name).toBe("twice (2)");
    expect(await folderOf(three)).toMatchObject({ name: "<b>Mine</b>", parent_id: null });
  });
});

describe("a memory", () => {
  test("arrives; one that is too long is several, divided between sentences", async () => {
    const [short, long] = [newId(), newId()];
    const sentence = "Ada sails every Sunday with her sister. ";
    const results = await world.post([
      {
        kind: "memory",
        id: short,
        person_id: "owui-ada",
        content: "Likes tea",
        created_at: 1_600_000_000,
        updated_at: 1_600_000_100,
      },
      { kind: "memory", id: long, person_id: "owui-ada", content: sentence.repeat(120) },
      { kind: "memory", id: newId(), person_id: "owui-ada", content: " " },
    ]);
    expect(results.map(({ state, notes }) => [state, notes])).toEqual([
      ["created", []],
      ["changed", ["Its text was too long: it is 3 memories here"]],
      ["left_out", ["It has no text"]],
    ]);
    const stored = (
      await world.call<{ id: string; content: string; created_at: number }[]>("/api/v1/memories/", { as: ada })
    ).body;
    expect(stored.find(({ id }) => id === short)).toMatchObject({
      content: "Likes tea",
      created_at: 1_600_000_000,
      updated_at: 1_600_000_100,
    });
    const pieces = stored.filter(({ content }) => content.startsWith("Ada sails"));
    expect(pieces).toHaveLength(3);
    expect(pieces.every(({ content }) => content.length <= 2000 && content.endsWith("sister."))).toBe(true);
  });
});
