import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileUses, OwnFilePage } from "../../../src/documents/files/schema.ts";
import { files } from "../../../src/documents/files/tables.ts";
import { newId } from "../../../src/lib/id.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { uploadAndRead } from "./run-jobs.ts";

let world: World;
let ada: Person;
let bo: Person;
beforeAll(async () => {
  world = await createWorld();
  [ada, bo] = [await world.person({ name: "Ada" }), await world.person({ name: "Bo" })];
  await world.client.execute({
    sql: "INSERT INTO settings (name, value, updated_at) VALUES ('permissions.default', ?, 0)",
    args: [JSON.stringify({ workspace: { knowledge: true, models: true } })],
  });
});
afterAll(() => world.close());

const list = async (query: Record<string, string> = {}, as = ada) =>
  (await world.call<OwnFilePage>(`/api/v1/files/own?${new URLSearchParams(query).toString()}`, { as })).body;
const namesOf = ({ items }: OwnFilePage) => items.map(({ filename }) => filename);

/** Puts files there without their bytes. */
async function addFiles(owner: Person, count: number, start = 0): Promise<void> {
  for (let at = 0; at < count; at += 500)
    await world.db.insert(files).values(
      Array.from({ length: Math.min(500, count - at) }, (_, step) => ({
        id: newId(),
        userId: owner.id,
        filename: `report ${start + at + step} 100%.txt`,
        contentType: "text/plain",
        size: (start + at + step) % 7,
        createdAt: 1000 + Math.floor((start + at + step) / 10),
      })),
    );
}

describe("one's own files", () => {
  it("come page by page, each once, in both orders, and nobody else's among them", async () => {
    const cy = await world.person({ name: "Cy" });
    await addFiles(cy, 130);
    await addFiles(bo, 5, 1000);
    for (const sort of ["newest", "largest"]) {
      const seen: OwnFilePage["items"] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page = await list({ sort, limit: "50", ...(cursor === "" ? {} : { cursor }) }, cy);
        seen.push(...page.items);
        cursor = page.next_cursor;
      }
      expect(new Set(seen.map(({ id }) => id)).size).toBe(130);
      expect(seen).toHaveLength(130);
      const values = seen.map((file) => (sort === "largest" ? file.size : file.created_at));
      expect(values).toEqual(values.toSorted((one, other) => other - one));
    }
    expect(namesOf(await list({ limit: "200" }, bo))).toHaveLength(5);
    expect((await list({}, await world.admin())).items).toEqual([]);
  });

  it("are found by the words of their names, whatever is in them", async () => {
    const cy = await world.person({ name: "Cy" });
    await addFiles(cy, 30);
    expect(namesOf(await list({ query: "REPORT 12" }, cy))).toEqual(["report 12 100%.txt"]);
    expect(namesOf(await list({ query: "12 report" }, cy))).toEqual(["report 12 100%.txt"]);
    expect((await list({ query: "100%" }, cy)).items).toHaveLength(30);
    expect((await list({ query: "100_" }, cy)).items).toEqual([]);
    expect((await list({ query: "' OR 1=1" }, cy)).items).toEqual([]);
  });

  it.each(["nonsense", "1", ".x", "1.", "99999999999999999.x", "1.a b"])("have no place %j", async (cursor) => {
    const { status } = await world.call(`/api/v1/files/own?cursor=${encodeURIComponent(cursor)}`, { as: ada });
    expect(status).toBe(422);
  });

  it("say where they are used, as far as the person can read that", async () => {
    const { id } = await uploadAndRead(world, ada, "# Tides\n\nAt eight.", "tides.md").then((file) => ({ id: file }));
    const make = async (path: string, json: unknown, as = ada) =>
      (await world.call<{ id: string }>(path, { as, json })).body.id;
    const base = await make("/api/v1/knowledge/create", { name: "Harbour", description: "" });
    await world.call(`/api/v1/knowledge/${base}/file/add`, { as: ada, json: { file_id: id } });
    const folder = await make("/api/v1/folders/", { name: "Ferries" });
    await world.client.execute({
      sql: "INSERT INTO folder_references (folder_id, kind, reference_id, position) VALUES (?, 'file', ?, 0)",
      args: [folder, id],
    });
    const message = {
      id: "m",
      parentId: null,
      childrenIds: [],
      role: "user",
      content: "See",
      files: [{ type: "file", id }],
    };
    const chat = await make("/api/v1/chats/new", {
      chat: { title: "Ferry", models: ["m"], history: { messages: { m: message }, currentId: "m" } },
    });
    const uses = async (as = ada) => world.call<FileUses>(`/api/v1/files/${id}/uses`, { as });
    const none = { named: [], others: 0 };
    expect((await uses()).body).toEqual({
      knowledge: { named: [{ id: base, name: "Harbour" }], others: 0 },
      folders: { named: [{ id: folder, name: "Ferries" }], others: 0 },
      chats: { named: [{ id: chat, name: "Ferry" }], others: 0 },
      models: none,
      channels: none,
    });
    expect((await list({ query: "tides" })).items).toMatchObject([{ id, used: 2 }]);

    // The base goes to another organization with its new owner: it is counted, and no longer named.
    await world.client.execute({ sql: "UPDATE knowledge SET user_id = ? WHERE id = ?", args: [bo.id, base] });
    expect((await uses()).body.knowledge).toEqual({ named: [], others: 1 });
    for (const as of [bo, await world.admin()]) expect((await uses(as)).status).toBe(404);
    expect((await world.call(`/api/v1/files/${newId()}/uses`, { as: ada })).status).toBe(404);
  });

  it("of which there are 50,000: the last page costs what the first does", async () => {
    const dee = await world.person({ name: "Dee" });
    await addFiles(dee, 50_000);
    const plan = async (cursor?: string) => {
      const { rows } = await world.client.execute({
        sql: `EXPLAIN QUERY PLAN SELECT id FROM files WHERE user_id = ? ${cursor ? "AND (created_at, id) < (1500, 'x')" : ""}
          ORDER BY created_at DESC, id DESC LIMIT 51`,
        args: [dee.id],
      });
      return rows.map((row) => String(row["detail"])).join("; ");
    };
    expect(await plan("1500.x")).toMatch(/USING (?:COVERING )?INDEX files_user /);
    expect(await plan("1500.x")).not.toMatch(/TEMP B-TREE/);
    const last = await list({ cursor: `1000.${"z".repeat(36)}` }, dee);
    expect(last.items).toHaveLength(10);
    expect(last.next_cursor).toBeNull();
    expect(namesOf(await list({ query: "report 49999" }, dee))).toEqual(["report 49999 100%.txt"]);
  });
});
