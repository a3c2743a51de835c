import { sql, type SQL } from "drizzle-orm";
import { hasPermission, type User } from "../../access.ts";
import {
  amongUsable,
  mayUse,
  type Reader,
  type Right,
  type Shared,
  type Subject,
  subjectOf,
} from "../../people/grants/may-use.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";
import { defaultOrganizationId } from "../../people/organizations/default-organization.ts";

export type KnowledgeRight = Right;

const shared: Shared = { table: "knowledge", type: "knowledge" };

/**
 * A condition over the table `knowledge` (under that name): whether the person may read or change a base, evaluated now
 * without a round trip. Allowed are system administrators; administrators of its organization; its creator while in
 * that organization; and grantees: everyone, an organization, and people and groups of its organization. Write access
 * includes read access.
 */
export function readableKnowledge(user: Reader, right: KnowledgeRight = "read"): SQL {
  if (user.role === "admin") return sql`TRUE`;
  if (user.role !== "user") return sql`FALSE`;
  return mayUse(subjectOf(user), right, shared);
}

/** A condition over the table `knowledge` that keeps lists to what the person may see; `readableKnowledge` stands beside it. */
export function amongReadableKnowledge(user: Reader): SQL {
  return user.role === "admin" ? sql`TRUE` : amongUsable(user, shared);
}

/**
 * A condition over the table `files` (under that name): whether the person may read or change a file. Its owner and
 * system administrators may; people who may read a knowledge base with it, or a channel message with it, may read it;
 * people who may change a base to which its owner added it may change it: a person who only passed a file on does not
 * give others more rights than their own.
 */
export function readableFile(user: User, right: KnowledgeRight = "read"): SQL {
  if (user.role === "admin") return sql`TRUE`;
  if (user.role !== "user") return sql`FALSE`;
  const passedOn = right === "write" ? sql` AND kf.user_id = files.user_id` : sql``;
  const inChannels =
    right === "write" || !hasPermission(user, "features.channels")
      ? sql``
      : sql` OR EXISTS (SELECT 1 FROM channel_files cf JOIN channels ON channels.id = cf.channel_id
          WHERE cf.file_id = files.id AND ${readableChannel(user)})`;
  return sql`(files.user_id = ${user.id} OR EXISTS (
    SELECT 1 FROM knowledge_files kf JOIN knowledge ON knowledge.id = kf.knowledge_id
    WHERE kf.file_id = files.id${passedOn} AND ${mayUse(subjectOf(user), right, shared)})${inChannels})`;
}

/**
 * A condition over the tables `knowledge` and `users`: whether that person may change the base now. For work without a
 * request, and so without a `User`.
 */
export function writableByPerson(): SQL {
  const who: Subject = {
    id: sql.raw("users.id"),
    organizationId: sql.raw("users.organization_id"),
    manages: sql.raw("users.organization_role = 'admin'"),
    groupIds: sql.raw(
      `(SELECT m.group_id FROM group_members m JOIN groups g ON g.id = m.group_id
        WHERE m.user_id = users.id AND g.organization_id IN (users.organization_id, '${defaultOrganizationId}'))`,
    ),
  };
  return sql`(users.active AND EXISTS (SELECT 1 FROM organizations o WHERE o.id = users.organization_id AND o.active)
    AND (users.role = 'admin' OR (users.role = 'user' AND ${mayUse(who, "write", shared)})))`;
}
