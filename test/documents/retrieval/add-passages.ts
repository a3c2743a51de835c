import { sql } from "drizzle-orm";
import type { User } from "../../../src/access.ts";
import { runBatch } from "../../../src/db/batch.ts";
import type { Passage } from "../../../src/documents/files/extraction/extractor.ts";
import { files, fileTexts } from "../../../src/documents/files/tables.ts";
import { knowledge, knowledgeFiles } from "../../../src/documents/knowledge/tables.ts";
import { chunkStatements } from "../../../src/documents/retrieval/store-chunks.ts";
import { embeddingSpaces } from "../../../src/documents/retrieval/tables.ts";
import { vectorStatements } from "../../../src/documents/retrieval/vectors.ts";
import { newId } from "../../../src/lib/id.ts";
import { factoryPermissions } from "../../../src/people/permissions.ts";
import { defaultOrganizationId, type Person, type World } from "../../world.ts";

export type GivenPassage = string | (Partial<Passage> & { text: string });

/** A passage with all that a passage has. */
export function passageOf(given: GivenPassage, index = 0): Passage {
  const said = typeof given === "string" ? { text: given } : given;
  return {
    headings: [],
    page: null,
    label: null,
    start: index * 1000,
    end: index * 1000 + said.text.length,
    tokens: 1,
    ...said,
  };
}

/** A file without a text. @returns its id */
export async function addFile({ db, services }: World, owner: Person, filename = "harbour.md"): Promise<string> {
  const id = newId();
  const now = services.now();
  await db.insert(files).values({
    id,
    userId: owner.id,
    organizationId: defaultOrganizationId,
    filename,
    contentType: "text/markdown",
    size: 1,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

/** A new text of the file, which is searched from now on unless `swap` is false. @returns numbers of its passages */
export async function addText(
  { db, services }: World,
  fileId: string,
  given: readonly GivenPassage[],
  { swap = true }: { swap?: boolean } = {},
): Promise<number[]> {
  const [file] = await db
    .update(files)
    .set({ versions: sql`versions + 1` })
    .where(sql`id = ${fileId}`)
    .returning();
  const version = file!.versions;
  await db.insert(fileTexts).values({ fileId, version, createdAt: services.now() });
  for (let start = 0; start < given.length; start += 250) {
    const passages = given.slice(start, start + 250).map((one, index) => passageOf(one, start + index));
    await runBatch(db, chunkStatements(db, { fileId, version, firstPosition: start, passages }));
  }
  if (swap)
    await db
      .update(files)
      .set({ version, chunkCount: given.length, state: "completed" })
      .where(sql`id = ${fileId}`);
  const rows = await db.all<{ number: number }>(
    sql`SELECT number FROM file_chunks WHERE file_id = ${fileId} AND version = ${version} ORDER BY position`,
  );
  return rows.map(({ number }) => number);
}

/** A space that serves. @returns its number */
export async function addSpace({ db, services }: World, model = "tiny-embed"): Promise<number> {
  const values = { model, state: "serving", createdAt: services.now() } as const;
  const [space] = await db.insert(embeddingSpaces).values(values).returning();
  return space!.id;
}

export async function addVectors(
  { db }: World,
  spaceId: number,
  fileId: string,
  vectors: ReadonlyMap<number, readonly number[] | Float32Array>,
): Promise<void> {
  const rows = [...vectors].map(([chunk, vector]) => ({ chunk, fileId, vector: Float32Array.from(vector) }));
  for (let start = 0; start < rows.length; start += 1000)
    await runBatch(db, vectorStatements(db, spaceId, rows.slice(start, start + 1000)));
}

/** A knowledge base of these files. @returns its id */
export async function addBase({ db, services }: World, owner: Person, fileIds: readonly string[]): Promise<string> {
  const id = newId();
  const now = services.now();
  await db.insert(knowledge).values({
    id,
    userId: owner.id,
    organizationId: defaultOrganizationId,
    name: "Harbour",
    meta: {},
    createdAt: now,
    updatedAt: now,
  });
  for (const fileId of fileIds)
    await db.insert(knowledgeFiles).values({ knowledgeId: id, fileId, contentHash: fileId, createdAt: now });
  return id;
}

/** The person as requests know them. */
export function userOf({ id, role }: Person): User {
  const home = { organizationId: defaultOrganizationId, organizationRole: "member", groupIds: [] as string[] } as const;
  return { kind: "user", id, role, ...home, permissions: factoryPermissions } as Partial<User> as User;
}
