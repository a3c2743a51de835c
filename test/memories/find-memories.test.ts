import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MemoryMatches, MemoryView } from "../../src/memories/schema.ts";
import { memoryVectors } from "../../src/memories/tables.ts";
import { createEmbeddingWorld, type EmbeddingWorld } from "../documents/retrieval/embedding/embedding-world.ts";
import { answering } from "../models/provider.ts";
import type { Person } from "../world.ts";

let world: EmbeddingWorld;
let ada: Person;
beforeAll(async () => {
  world = await createEmbeddingWorld();
});
afterAll(async () => {
  await world.close();
  await world.provider.close();
});
beforeEach(async () => {
  await world.set({ RAG_EMBEDDING_MODEL: "" });
  await world.run("rebuild");
  world.provider.always(undefined);
  ada = await world.person();
});

const base = "/api/v1/memories";
const texts = ["The dog is called Rex", "Lives in Kiel by the sea", "Likes short answers", "Works as a carpenter"];
async function fill(): Promise<void> {
  for (const content of texts) await world.call(`${base}/add`, { as: ada, json: { content } });
  await world.settled();
}
const query = (content: string, k?: number) =>
  world.call<MemoryMatches>(`${base}/query`, { as: ada, json: { content, ...(k ? { k } : {}) } });
const first = async (content: string) => (await query(content)).body.documents[0]![0];
const vectors = async () =>
  (
    await world.db.all<{ id: string }>(
      sql`SELECT m.id FROM memories m JOIN memory_vectors v ON v.memory_id = m.id WHERE m.user_id = ${ada.id}`,
    )
  ).length;

describe("without an embedding model", () => {
  it("words find them, in any script, and the newest come where nothing fits", async () => {
    await fill();
    expect(await first("What is the name of my dog?")).toBe("The dog is called Rex");
    expect(await first("how far is KIEL from here")).toBe("Lives in Kiel by the sea");
    expect(await first("?!")).toBe("Works as a carpenter");
    await world.call(`${base}/add`, { as: ada, json: { content: "私は東京都に住んでいます" } });
    expect(await first("東京都の天気は?")).toBe("私は東京都に住んでいます");
    expect((await query("dog", 3)).body.documents[0]).toHaveLength(3);
    expect(await vectors()).toBe(0);
  });

  it("the answer has Open WebUI's shape", async () => {
    expect((await query("dog")).status).toBe(404);
    await fill();
    const { body } = await query("dog", 2);
    expect(body).toEqual({
      ids: [[expect.any(String), expect.any(String)]],
      documents: [["The dog is called Rex", expect.any(String)]],
      metadatas: [
        [
          { created_at: expect.any(Number), updated_at: expect.any(Number), type: "context", path: null },
          expect.anything(),
        ],
      ],
      distances: [[expect.any(Number), expect.any(Number)]],
    });
    expect(body.distances[0]![0]).toBeGreaterThan(body.distances[0]![1]!);
  });
});

describe("with an embedding model", () => {
  beforeEach(async () => {
    await world.set({ RAG_EMBEDDING_MODEL: "tiny-embed" });
    await world.run("rebuild");
  });

  it("each gets a vector after it was saved, and another one when it is changed", async () => {
    await fill();
    expect(await vectors()).toBe(4);
    const [last] = (await world.call<MemoryView[]>(base, { as: ada })).body;
    const before = await world.db.select().from(memoryVectors);
    await world.call(`${base}/${last!.id}/update`, { as: ada, json: { content: "Works as a baker" } });
    await world.settled();
    expect(await vectors()).toBe(4);
    const of = (rows: typeof before) =>
      Buffer.from(rows.find(({ memoryId }) => memoryId === last!.id)!.vector as never);
    expect(of(await world.db.select().from(memoryVectors)).equals(of(before))).toBe(false);
    expect(world.provider.embedded).toContain("Works as a baker");
  });

  it("meaning and words rank together", async () => {
    await fill();
    expect(await first("sea by Kiel")).toBe("Lives in Kiel by the sea");
    expect(world.provider.asked.at(-1)).toEqual(["sea by Kiel"]);
  });

  it("a provider that fails costs no save and no search, and what is missing is made later", async () => {
    world.provider.always(answering(500, "{}"));
    await fill();
    expect(await vectors()).toBe(0);
    expect(await first("What is the name of my dog?")).toBe("The dog is called Rex");
    world.provider.always(undefined);
    await first("dog");
    await world.settled();
    await first("dog");
    await world.settled();
    expect(await vectors()).toBe(4);
  });

  it("a reset makes all vectors again, and those of a dropped index go", async () => {
    await fill();
    await world.set({ RAG_EMBEDDING_MODEL: "other-embed" });
    await world.run("rebuild");
    expect(await world.call(`${base}/reset`, { as: ada, method: "POST" })).toMatchObject({ status: 200, body: true });
    expect(await vectors()).toBe(4);
  });
});
