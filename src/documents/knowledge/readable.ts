import { sql, type SQL } from "drizzle-orm";
import { hasPermission, type User } from "../../access.ts";
import { mayUse, type Reader, type Right, type Shared, type Who, whoIs } from "../../people/grants/may-use.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";
import { defaultOrganizationId } from "../../people/organizations/default-organization.ts";

export type KnowledgeRight = Right;

const shared: Shared = { table: "knowledge", type: "knowledge" };

/**
 * A condition over the table `knowledge` (under that name): whether the person may read or change a base, as of now and
 * without a round trip. System administrators may; administrators of its organization; its maker while at home there; whom a
 * grant names: everyone, an organization, and, of the people of its own organization, persons and groups. Who may write may read.
 */
export function readableKnowledge(user: Reader, right: KnowledgeRight = "read"): SQL {
  if (user.role === "admin") return sql`TRUE`;
  if (user.role !== "user") return sql`FALSE`;
  return mayUse(whoIs(user), right, shared);
}

/**
 * A condition over the table `files` (under that name): whether the person may read or change a file. Its owner and system
 * administrators may; who may read a base that holds it, or a message in a channel that it stands beside, may read it; who may
 * change a base that its owner put it into may change it: what somebody only passed on, they give nobody more right to than they
 * have.
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
    WHERE kf.file_id = files.id${passedOn} AND ${mayUse(whoIs(user), right, shared)})${inChannels})`;
}

/**
 * A condition over the tables `knowledge` and `users`: whether that person may change the base now. For work that goes on
 * without a request, and so without a `User`.
 */
export function writableByPerson(): SQL {
  const who: Who = {
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
