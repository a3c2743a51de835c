import type { Database } from "../../src/db/client.ts";
import { newId } from "../../src/lib/id.ts";
import { apiKeys } from "../../src/people/auth/api-keys/tables.ts";
import { users } from "../../src/people/users/tables.ts";

/** A service account of the owner's organization. */
async function addServiceAccount(
  db: Database,
  { organizationId }: { organizationId: string },
  now: number,
): Promise<string> {
  const id = newId();
  const account = { id, email: `service-${id}@service.invalid`, name: "Probe", role: "user", kind: "service" } as const;
  await db.insert(users).values({ ...account, organizationId, lastActiveAt: now, createdAt: now, updatedAt: now });
  return id;
}

async function addServiceKey(db: Database, userId: string, now: number): Promise<string> {
  const id = newId();
  await db.insert(apiKeys).values({ id, userId, name: "probe", hash: newId(), createdAt: now, lastUsedAt: now });
  return id;
}

/** What the matrix names of them, as its world makes things: by their owner, and by the account that a key belongs to. */
export const serviceAccountThings = (db: Database, now: number) => ({
  "service account": (owner: { organizationId: string }) => addServiceAccount(db, owner, now),
  "service key": async (owner: { organizationId: string }, account?: string) =>
    addServiceKey(db, account ?? (await addServiceAccount(db, owner, now)), now),
});
