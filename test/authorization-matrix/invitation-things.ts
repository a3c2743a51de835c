import { eq } from "drizzle-orm";
import type { Database } from "../../src/db/client.ts";
import { newId } from "../../src/lib/id.ts";
import { invitations } from "../../src/people/invitations/tables.ts";
import type { Kind } from "./cells.ts";

/** An invitation into the owner's organization. */
export async function addInvitation(
  db: Database,
  { id: invitedBy, organizationId }: { id: string; organizationId: string },
  now: number,
): Promise<string> {
  const id = newId();
  const row = { id, tokenHash: newId(), role: "user", organizationId, invitedBy } as const;
  await db.insert(invitations).values({ ...row, groupIds: [], createdAt: now, expiresAt: now + 1000 });
  return id;
}

export async function forgetInvitation(db: Database, kind: Kind, id: string): Promise<void> {
  if (kind === "invitation") await db.delete(invitations).where(eq(invitations.id, id));
}
