import { eq } from "drizzle-orm";
import type { Database } from "../../src/db/client.ts";
import { newId } from "../../src/lib/id.ts";
import { directConnections } from "../../src/models/direct-connections/tables.ts";
import type { Person } from "../world.ts";
import { everyone, owner, type Row } from "./cells.ts";

const base = "/api/v1/users/user/connections";
/** A person's alone: administrators do not reach them either. */
const connection: Row = { ids: { id: "direct connection" }, may: owner };

/** People's own connections to providers, as rows of the table. */
export const directConnectionTable: Readonly<Record<string, Row>> = {
  [`GET ${base}`]: { may: everyone },
  [`POST ${base}`]: {
    say: () => ({ json: { base_url: "https://models.invalid", enabled: false } }),
    may: everyone,
  },
  [`POST ${base}/verify`]: { ...connection, say: ({ id }) => ({ json: { id } }) },
  [`GET ${base}/:id`]: connection,
  [`PATCH ${base}/:id`]: { ...connection, say: () => ({ json: { name: "Renamed" } }) },
  [`DELETE ${base}/:id`]: connection,
};

export async function addDirectConnection(db: Database, { id: userId }: Person, now: number): Promise<string> {
  const id = newId();
  const row = { id, userId, name: id, modelIds: [], enabled: false, createdAt: now, updatedAt: now };
  await db.insert(directConnections).values({ ...row, kind: "openai", baseUrl: "https://models.invalid/v1" });
  return id;
}

export async function forgetDirectConnection(db: Database, id: string): Promise<void> {
  await db.delete(directConnections).where(eq(directConnections.id, id));
}
