import { eq } from "drizzle-orm";
import type { Database } from "../../src/db/client.ts";
import { knowledge, knowledgeDirectories, knowledgeFiles } from "../../src/documents/knowledge/tables.ts";
import { newId } from "../../src/lib/id.ts";

/** A base of a person's at home. */
export async function addBase(
  db: Database,
  owner: { id: string; organizationId: string },
  createdAt: number,
): Promise<string> {
  const id = newId();
  const { id: userId, organizationId } = owner;
  await db
    .insert(knowledge)
    .values({ id, userId, organizationId, name: id, meta: {}, createdAt, updatedAt: createdAt });
  return id;
}

export async function holdFile(db: Database, knowledgeId: string, fileId: string, userId: string): Promise<string> {
  await db.insert(knowledgeFiles).values({ knowledgeId, fileId, contentHash: fileId, userId, createdAt: 0 });
  return fileId;
}

export async function addDirectory(db: Database, knowledgeId: string): Promise<string> {
  const id = newId();
  await db
    .insert(knowledgeDirectories)
    .values({ id, knowledgeId, parentId: null, name: id, createdAt: 0, updatedAt: 0 });
  return id;
}

export async function forgetBase(db: Database, id: string): Promise<void> {
  await db.delete(knowledge).where(eq(knowledge.id, id));
}

export async function forgetDirectory(db: Database, id: string): Promise<void> {
  await db.delete(knowledgeDirectories).where(eq(knowledgeDirectories.id, id));
}
