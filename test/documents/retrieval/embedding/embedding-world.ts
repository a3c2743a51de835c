import { sql } from "drizzle-orm";
import { runBatch } from "../../../../src/db/batch.ts";
import type { Passage } from "../../../../src/documents/files/extraction/extractor.ts";
import { files, fileTexts } from "../../../../src/documents/files/tables.ts";
import type { RetrievalStatus } from "../../../../src/documents/retrieval/embedding/schema.ts";
import { chunkStatements } from "../../../../src/documents/retrieval/store-chunks.ts";
import { addJobStatement } from "../../../../src/jobs/add-job.ts";
import { runJobs } from "../../../../src/jobs/run-jobs.ts";
import { jobs, type JobKind } from "../../../../src/jobs/tables.ts";
import { newId } from "../../../../src/lib/id.ts";
import { storeConnection } from "../../../models/store-connection.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../../world.ts";
import { startEmbeddings, type EmbeddingProvider } from "./embedding-provider.ts";

export interface EmbeddingWorld extends World {
  provider: EmbeddingProvider;
  owner: Person;
  /** Changes settings as an administrator does. */
  set(change: Record<string, unknown>): Promise<void>;
  /** A file that has been read, and waits for its vectors. @returns its id */
  addFile(passages: readonly string[], options?: { deadline?: number; headings?: string[] }): Promise<string>;
  /** A new text of a file, as reading it again makes it. */
  addText(
    fileId: string,
    passages: readonly string[],
    options?: { deadline?: number; headings?: string[] },
  ): Promise<void>;
  /** Lets what waits be due, and does it. */
  run(...kinds: JobKind[]): Promise<void>;
  file(id: string): Promise<typeof files.$inferSelect>;
  status(): Promise<RetrievalStatus>;
  /** How many vectors the file's passages that count have, in the space of this model that is not dropped. */
  vectors(fileId: string, model: string): Promise<number>;
  jobs(): Promise<{ kind: JobKind; subject: string }[]>;
}

export const inAnHour = () => Date.now() + 3_600_000;

/** The service with a provider of embeddings, none of whose models is chosen yet. */
export async function createEmbeddingWorld(): Promise<EmbeddingWorld> {
  const world = await createWorld();
  const { services } = world;
  const { db } = services;
  const provider = await startEmbeddings();
  await storeConnection(world, { base_url: `${provider.origin}/v1`, key: "sk-harbour-secret-key-1234567890" });
  const owner = await world.person();
  const admin = await world.admin();

  const addText: EmbeddingWorld["addText"] = async (fileId, texts, { deadline = inAnHour(), headings = [] } = {}) => {
    const [file] = await db
      .update(files)
      .set({ versions: sql`versions + 1`, state: "pending", stage: "embedding", error: null, errorCode: null })
      .where(sql`id = ${fileId}`)
      .returning();
    const version = file!.versions;
    const passages = texts.map((text, at): Passage => ({
      text,
      headings,
      page: null,
      label: null,
      start: at,
      end: at + 1,
      tokens: 1,
    }));
    await db.insert(fileTexts).values({
      fileId,
      version,
      sha256: "0".repeat(64),
      length: texts.join("").length,
      chunkCount: texts.length,
      createdAt: services.now(),
    });
    for (let at = 0; at < passages.length; at += 250)
      await runBatch(
        db,
        chunkStatements(db, { fileId, version, firstPosition: at, passages: passages.slice(at, at + 250) }),
      );
    await addJobStatement(services, { kind: "embed", subject: fileId, userId: owner.id, deadline });
  };
  return {
    ...world,
    provider,
    owner,
    addText,
    async set(change) {
      const { status, body } = await world.call("/api/v1/auths/admin/config", { as: admin, json: change });
      if (status !== 200)
        throw new Error(
          `settings answered ${status}: ${JSON.stringify(body)} ${JSON.stringify(world.logged.at(-1), (_, value: unknown) => (value instanceof Error ? `${value.stack} ${String(value.cause)}` : value))}`,
        );
    },
    async addFile(texts, options) {
      const id = newId();
      await db.insert(files).values({
        id,
        userId: owner.id,
        organizationId: defaultOrganizationId,
        filename: "harbour.txt",
        contentType: "text/plain",
        size: 1,
        createdAt: services.now(),
        updatedAt: services.now(),
      });
      await addText(id, texts, options);
      return id;
    },
    async run(...kinds) {
      for (const kind of kinds) {
        await db.run(sql`UPDATE jobs SET due_at = 0 WHERE kind = ${kind}`);
        await runJobs(services, kind);
      }
    },
    async file(id) {
      const [row] = await db
        .select()
        .from(files)
        .where(sql`id = ${id}`);
      return row!;
    },
    async status() {
      const { status, body } = await world.call<RetrievalStatus>("/api/v1/retrieval/status", { as: admin });
      if (status !== 200) throw new Error(`the status answered ${status}`);
      return body;
    },
    async vectors(fileId, model) {
      const [row] = await db.all<{ count: number }>(sql`
        SELECT count(*) AS count FROM files f JOIN file_chunks c ON c.file_id = f.id AND c.version = f.version
        JOIN chunk_vectors v ON v.chunk = c.number
        JOIN embedding_spaces s ON s.id = v.space_id AND s.model = ${model} AND s.state <> 'dropped' WHERE f.id = ${fileId}`);
      return row!.count;
    },
    jobs: () => db.select({ kind: jobs.kind, subject: jobs.subject }).from(jobs),
    async close() {
      await world.close();
      await provider.close();
    },
  };
}
