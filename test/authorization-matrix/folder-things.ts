import { eq } from "drizzle-orm";
import { folders } from "../../src/chat/folders/tables.ts";
import type { Database } from "../../src/db/client.ts";
import { newId } from "../../src/lib/id.ts";
import type { Person } from "../world.ts";

/** A folder of a person's, at the top. */
export async function addFolder(
  db: Database,
  { id: userId, organizationId }: Person & { organizationId: string },
  now: number,
): Promise<string> {
  const id = newId();
  const made = { modelIds: [], meta: {}, createdAt: now, updatedAt: now };
  await db.insert(folders).values({ id, userId, organizationId, name: id, ...made });
  return id;
}

export async function forgetFolder(db: Database, id: string): Promise<void> {
  await db.delete(folders).where(eq(folders.id, id));
}
