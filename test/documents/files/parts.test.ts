import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sweep } from "../../../src/compose/sweep.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { createMemoryBlobs } from "../../memory-blobs.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import type { UploadedView } from "./run-jobs.ts";

let world: World;
let ada: Person;
let bob: Person;
const blobs = createMemoryBlobs();
const partSize = 8 * 1024 * 1024;
beforeAll(async () => {
  world = await createWorld({ services: { blobs } });
  ada = await world.person();
  bob = await world.person({ name: "Bob" });
});
afterAll(() => world.close());

const base = "/api/v1/files/uploads";
interface View {
  id: string;
  part_size: number;
  parts: number;
  received: { number: number; size: number; sha256: string }[];
}
const begin = async (size: number, more: object = {}) =>
  (await world.call<View>(base, { as: ada, json: { filename: "log.txt", size, ...more } })).body;
const put = (id: string, number: number, body: Uint8Array<ArrayBuffer>, as = ada) =>
  world.call(`${base}/${id}/parts/${number}`, { as, method: "PUT", body });
const complete = (id: string, as = ada) => world.call<UploadedView>(`${base}/${id}/complete`, { as, method: "POST" });
const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);
const sha256 = (...pieces: Uint8Array[]) => createHash("sha256").update(Buffer.concat(pieces)).digest("hex");
const rowsOf = async (table: string) => (await world.client.execute(`SELECT * FROM ${table}`)).rows;

describe("an upload in parts", () => {
  it("becomes a file when all of them have come, in any order and again", async () => {
    const size = 2 * partSize + 5;
    const upload = await begin(size, { metadata: { from: "pilot" } });
    expect(upload).toMatchObject({ part_size: partSize, parts: 3, received: [] });
    const { id } = upload;
    await put(id, 3, bytes(5, 3));
    await put(id, 1, bytes(partSize, 9));
    expect(await complete(id)).toMatchObject({ status: 400, body: { detail: "Parts are missing: 2" } });
    const [two] = await Promise.all([put(id, 2, bytes(partSize, 2)), put(id, 1, bytes(partSize, 1))]);
    expect(two).toMatchObject({ status: 200, body: { number: 2, size: partSize, sha256: sha256(bytes(partSize, 2)) } });
    const { body } = await world.call<View>(`${base}/${id}`, { as: ada });
    expect(body.received.map(({ number }) => number)).toEqual([1, 2, 3]);
    const answers = await Promise.all([complete(id), complete(id)]);
    const hash = sha256(bytes(partSize, 1), bytes(partSize, 2), bytes(5, 3));
    for (const { status, body: file } of [...answers, await complete(id)])
      expect([status, file]).toMatchObject([200, { id, hash, status: true, meta: { size, data: { from: "pilot" } } }]);
    expect(blobs.stored.get(`files/${id}`)?.length).toBe(size);
    for (const table of ["uploads", "upload_parts", "dropped_uploads"]) expect(await rowsOf(table)).toEqual([]);
    const actions = (await world.db.select().from(auditEvents)).filter((row) => row.targetId === id);
    expect(actions.map(({ action }) => action)).toEqual(["file.uploaded"]);
  });

  it("takes no part any more while it is completed", async () => {
    const gone = new Error("The specified multipart upload does not exist");
    const { id } = await begin(5, { process: false });
    await put(id, 1, bytes(5, 1));
    vi.spyOn(blobs, "putPart").mockRejectedValueOnce(gone);
    expect(await put(id, 1, bytes(5, 2))).toMatchObject({ status: 409, body: { code: "conflict" } });
    vi.spyOn(blobs, "putPart").mockImplementationOnce(async () => {
      await complete(id);
      throw gone;
    });
    expect((await put(id, 1, bytes(5, 2))).status).toBe(404);
    expect((await complete(id)).body.hash).toBe(sha256(bytes(5, 1)));
  });

  it("is completed or thrown away, and both are told the same", async () => {
    const seen = new Set<boolean>();
    for (let round = 0; round < 8; round++) {
      const { id } = await begin(5, { process: false });
      await put(id, 1, bytes(5, 1));
      const end = async () => {
        for (let turn = 0; turn < round; turn++) await Promise.resolve(world.client.execute("SELECT 1"));
        return world.call(`${base}/${id}`, { as: ada, method: "DELETE" });
      };
      const [file, ended] = await Promise.all([complete(id), end()]);
      const isFile = file.status === 200;
      seen.add(isFile);
      expect(ended.status).toBe(isFile ? 404 : 200);
      expect((await world.call(`/api/v1/files/${id}`, { as: ada })).status).toBe(isFile ? 200 : 404);
      expect(blobs.stored.has(`files/${id}`)).toBe(isFile);
    }
    expect(seen.size).toBeGreaterThan(0);
    expect(await rowsOf("dropped_uploads")).toEqual([]);
  });

  it("is its sender's alone", async () => {
    const { id } = await begin(3);
    const admin = await world.admin();
    for (const as of [bob, admin]) {
      expect((await put(id, 1, bytes(3, 1), as)).status).toBe(404);
      expect((await complete(id, as)).status).toBe(404);
      for (const method of ["GET", "DELETE"])
        expect((await world.call(`${base}/${id}`, { as, method })).status).toBe(404);
    }
    expect((await world.call(`${base}/${id}`, { as: ada, method: "DELETE" })).status).toBe(200);
    expect((await put(id, 1, bytes(3, 1))).status).toBe(404);
    expect(blobs.parts.size).toBe(0);
  });

  it("takes parts of the right length only", async () => {
    const { id } = await begin(partSize + 3);
    for (const [number, length] of [
      [1, 3],
      [1, partSize + 1],
      [2, 4],
      [3, 1],
    ] as const)
      expect((await put(id, number, bytes(length, 1))).status).toBe(400);
    for (const number of [0, 10_001]) expect((await put(id, number, bytes(3, 1))).status).toBe(422);
    expect((await put(id, 1, bytes(17 * 1024 * 1024, 1))).status).toBe(413);
  });

  it("is refused for what may not be uploaded", async () => {
    const ask = (json: object) => world.call(base, { as: ada, json: { filename: "a.txt", size: 1, ...json } });
    expect((await ask({ size: 501 * 1024 * 1024 })).status).toBe(413);
    for (const json of [{ size: -1 }, { size: 1.5 }, { filename: " " }, { metadata: [] }])
      expect((await ask(json)).status).toBe(422);
    expect((await ask({ metadata: { long: "x".repeat(100_001) } })).status).toBe(413);
    expect((await ask({ metadata: { knowledge_id: "none" } })).status).toBe(404);
    const wrong = await begin(3, { metadata: { file_hash: sha256(bytes(3, 2)) } });
    await put(wrong.id, 1, bytes(3, 1));
    expect((await complete(wrong.id)).status).toBe(422);
    expect((await world.call(`${base}/${wrong.id}`, { as: ada })).status).toBe(404);
    expect(blobs.stored.has(`files/${wrong.id}`)).toBe(false);
  });

  it("is thrown away when nobody goes on with it", async () => {
    const { id } = await begin(partSize + 1);
    await put(id, 1, bytes(partSize, 1));
    world.advance(86_000);
    await sweep(world.services);
    expect((await put(id, 2, bytes(1, 1))).status).toBe(200);
    world.advance(1000);
    await sweep(world.services);
    expect((await complete(id)).status).toBe(404);
    expect(blobs.parts.size).toBe(0);
    for (const table of ["uploads", "upload_parts", "dropped_uploads"]) expect(await rowsOf(table)).toEqual([]);
  });
});
