import { sql } from "drizzle-orm";
import { estimateTokenCount } from "tokenx";
import type { RetrievalNote } from "../../../src/chat/retrieval/note.ts";
import type { AnswerSource } from "../../../src/chat/retrieval/number-pieces.ts";
import { runBatch } from "../../../src/db/batch.ts";
import type { Passage } from "../../../src/documents/files/extraction/extractor.ts";
import { files, fileTexts } from "../../../src/documents/files/tables.ts";
import { knowledge, knowledgeFiles, modelKnowledge } from "../../../src/documents/knowledge/tables.ts";
import { chunkStatements } from "../../../src/documents/retrieval/store-chunks.ts";
import { newId } from "../../../src/lib/id.ts";
import { grants } from "../../../src/people/grants/tables.ts";
import { defaultOrganizationId, type Person, type World } from "../../world.ts";

/** What an answer says of its documents. */
export interface Looked {
  sources?: AnswerSource[];
  warnings?: RetrievalNote[];
}

export interface NewDocument {
  name?: string;
  /** Texts or whole passages, in their order; none: it has not been read. */
  passages?: (string | Partial<Passage>)[];
  set?: Partial<typeof files.$inferInsert>;
}

/** A file of the person's as it stands in the database once it was read. */
export async function addDocument(world: World, owner: Person, document: NewDocument = {}): Promise<string> {
  const { name = "handbook.pdf", passages = [], set = {} } = document;
  const id = newId();
  const now = world.services.now();
  const { services } = world;
  const isRead = passages.length > 0;
  await services.db.insert(files).values({
    id,
    userId: owner.id,
    organizationId: defaultOrganizationId,
    filename: name,
    contentType: "application/pdf",
    size: 1000,
    state: isRead ? "completed" : "stored",
    createdAt: now,
    updatedAt: now,
    ...set,
  });
  if (isRead) await addText(world, id, passages);
  return id;
}

/** Gives a file a text of the next version, which counts from now on. */
export async function addText(world: World, fileId: string, passages: NewDocument["passages"] = []): Promise<void> {
  const { db, now } = world.services;
  const [file] = await db
    .select()
    .from(files)
    .where(sql`id = ${fileId}`);
  const version = file!.version + 1;
  let end = 0;
  const whole = passages.map((given): Passage => {
    const own = typeof given === "string" ? { text: given } : given;
    const text = own.text ?? "";
    const start = own.start ?? end;
    end = own.end ?? start + text.length;
    return { headings: [], page: null, label: null, ...own, text, start, end, tokens: estimateTokenCount(text) };
  });
  await db.insert(fileTexts).values({ fileId, version, chunkCount: whole.length, length: end, createdAt: now() });
  await runBatch(db, chunkStatements(db, { fileId, version, firstPosition: 0, passages: whole }));
  await db.run(
    sql`UPDATE files SET version = ${version}, state = 'completed', stage = NULL, chunk_count = ${whole.length}, text_length = ${end} WHERE id = ${fileId}`,
  );
}

/** A knowledge base of the person's with these files in it. */
export async function addCollection(
  world: World,
  owner: Person,
  fileIds: readonly string[],
  { name = "Harbour rules", isShared = false } = {},
): Promise<string> {
  const { db, now } = world.services;
  const id = newId();
  const at = now();
  await db.insert(knowledge).values({
    id,
    userId: owner.id,
    organizationId: defaultOrganizationId,
    name,
    meta: {},
    createdAt: at,
    updatedAt: at,
  });
  for (const fileId of fileIds)
    await db
      .insert(knowledgeFiles)
      .values({ knowledgeId: id, fileId, contentHash: fileId, userId: owner.id, createdAt: at });
  if (isShared)
    await db.insert(grants).values({
      id: newId(),
      resourceType: "knowledge",
      resourceId: id,
      principalType: "user",
      principalId: "*",
      permission: "read",
      createdAt: at,
    });
  return id;
}

/** Lets a model look things up in a file or a base. */
export async function bind(
  world: World,
  modelId: string,
  kind: "file" | "collection",
  targetId: string,
  organizationId: string | null = null,
): Promise<void> {
  const createdAt = world.services.now();
  await world.services.db
    .insert(modelKnowledge)
    .values({ id: newId(), modelId, kind, targetId, organizationId, createdAt });
}
