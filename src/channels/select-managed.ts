import { sql, type SQL } from "drizzle-orm";
import type { User } from "../access.ts";
import type { Database } from "../db/client.ts";
import type { ChannelRow } from "./channel-row.ts";
import { type FoundChannel, manageableChannel, noChannel, notManaged, visibleChannel } from "./find-channel.ts";

/** Statement, first in a batch: the channel before the change, if the person can see it, and whether they manage it. */
export function selectManaged(db: Database, user: User, id: string) {
  return db.all<{ kind: FoundChannel["kind"]; is_managed: number }>(sql`
    SELECT channels.kind, ${manageableChannel(user)} AS is_managed
    FROM channels WHERE channels.id = ${id} AND ${visibleChannel(user)}`);
}

/**
 * Statement, after the changes in a batch: the channel's data for its object.
 * @param id SQL if only the database knows it
 */
export function selectTold(db: Database, id: string | SQL) {
  return db.all<Pick<ChannelRow, "id" | "organization_id" | "members_version">>(
    sql`SELECT id, organization_id, members_version FROM channels WHERE id = ${id}`,
  );
}

/** The organization in whose audit log a change of the channel is recorded. */
export function homeOf(id: string): SQL {
  return sql`(SELECT organization_id FROM channels WHERE id = ${id})`;
}

/**
 * @throws AppError `not_found` for a channel that the person cannot see, `forbidden` for one that they do not manage
 */
export function requireManaged<T extends { kind: FoundChannel["kind"]; is_managed: number }>(found: T | undefined): T {
  if (!found) throw noChannel();
  if (!found.is_managed) throw notManaged(found.kind);
  return found;
}
