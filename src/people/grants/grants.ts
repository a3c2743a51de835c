import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import { hasPermission, managesOrganization, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { groups } from "../groups/tables.ts";
import { organizations } from "../organizations/tables.ts";
import type { Permission } from "../permissions.ts";
import { users } from "../users/tables.ts";
import { everyone, grantKey } from "./grant.ts";
import type { GrantView } from "./schema.ts";
import { grants } from "./tables.ts";

type ResourceType = (typeof grants.$inferSelect)["resourceType"];

/** Which permission lets people share which kind of resource with others, and with everyone. */
const sharing: Record<ResourceType, { some: Permission; all: Permission }> = {
  model: { some: "sharing.models", all: "sharing.public_models" },
  tool: { some: "sharing.tools", all: "sharing.public_tools" },
  tool_server: { some: "sharing.tools", all: "sharing.public_tools" },
  knowledge: { some: "sharing.knowledge", all: "sharing.public_knowledge" },
  prompt: { some: "sharing.prompts", all: "sharing.public_prompts" },
  folder: { some: "sharing.folders", all: "sharing.public_folders" },
  shared_chat: { some: "chat.share", all: "sharing.public_chats" },
};

/**
 * Rejects grants that the person may not give or whose target does not exist; existing grants may stay. Nothing is
 * dropped silently: a person who shares must know what is shared.
 * @throws AppError `forbidden` with the missing permission, or the group that does not accept shares from this person;
 *   `validation_failed` with the unknown targets.
 */
export async function checkGrants(
  ctx: Context,
  user: User,
  type: ResourceType,
  given: GrantView[],
  before: readonly GrantView[],
): Promise<void> {
  const known = new Set(before.map(grantKey));
  const added = given.filter((grant) => !known.has(grantKey(grant)));
  if (added.length === 0) return;
  for (const grant of added) {
    for (const permission of permissionsFor(type, grant)) {
      if (!hasPermission(user, permission)) {
        throw new AppError(
          "forbidden",
          `Sharing with ${describe(grant)} needs the permission ${permission}. Ask an administrator for it`,
          { param: "access_grants" },
        );
      }
    }
  }
  await checkPrincipals(ctx, user, added);
}

function permissionsFor(type: ResourceType, grant: GrantView): Permission[] {
  if (grant.principal_id === everyone) return [sharing[type].all];
  return [
    sharing[type].some,
    grant.principal_type === "user" ? "access_grants.allow_users" : "access_grants.allow_groups",
  ];
}

function describe(grant: GrantView): string {
  if (grant.principal_id === everyone) return "everyone";
  return { user: "a person", group: "a group", organization: "an organization" }[grant.principal_type];
}

/**
 * People who are no system administrators know only their own organization: a principal of another one does not exist for
 * them. That goes for groups of the default one too, whose members may be anybody's.
 */
async function checkPrincipals(ctx: Context, user: User, added: GrantView[]): Promise<void> {
  const ids = (type: GrantView["principal_type"]) => [
    ...new Set(
      added
        .filter((grant) => grant.principal_type === type && grant.principal_id !== everyone)
        .map((grant) => grant.principal_id),
    ),
  ];
  const wanted = { user: ids("user"), group: ids("group"), organization: ids("organization") };
  if (wanted.user.length + wanted.group.length + wanted.organization.length === 0) return;
  const isOwn = (column: SQL | undefined) => (user.role === "admin" ? undefined : column);
  const [people, teams, homes] = await ctx.db.batch([
    ctx.db
      .select({ id: users.id })
      .from(users)
      .where(and(inArray(users.id, wanted.user), isOwn(eq(users.organizationId, user.organizationId)))),
    ctx.db
      .select({ id: groups.id, share: groups.share, name: groups.name })
      .from(groups)
      .where(and(inArray(groups.id, wanted.group), isOwn(eq(groups.organizationId, user.organizationId)))),
    ctx.db
      .select({ id: organizations.id })
      .from(organizations)
      .where(and(inArray(organizations.id, wanted.organization), isOwn(eq(organizations.id, user.organizationId)))),
  ]);
  const found = { user: people, group: teams, organization: homes };
  const issues = (["user", "group", "organization"] as const).flatMap((type) => {
    const have = new Set(found[type].map((row) => row.id));
    return wanted[type]
      .filter((id) => !have.has(id))
      .map((id) => ({ path: "access_grants", message: `No such ${type}: ${id}` }));
  });
  if (issues.length > 0)
    throw new AppError("validation_failed", issues[0]!.message, { issues, param: "access_grants" });
  const closed = teams.find((team) => !takesFrom(user, team));
  if (closed) {
    const who = closed.share === "members" ? "its members" : "administrators";
    throw new AppError("forbidden", `Only ${who} can share with the group ${closed.name}`, { param: "access_grants" });
  }
}

/** Whether the group lets the person share things with it. */
function takesFrom(user: User, group: Pick<typeof groups.$inferSelect, "id" | "share">): boolean {
  if (managesOrganization(user, user.organizationId) || group.share === "everyone") return true;
  return group.share === "members" && user.groupIds.includes(group.id);
}

/**
 * Statements for the batch of the change that set the grants. `exists` guards against a resource deleted meanwhile, so
 * that no grant is left for a later resource with its id.
 */
export function replaceGrants(ctx: Context, type: ResourceType, resourceId: string, given: GrantView[], exists: SQL) {
  const rows = [...new Map(given.map((grant) => [grantKey(grant), grant])).values()].map((grant) => [
    newId(),
    grant.principal_type,
    grant.principal_id,
    grant.permission,
  ]);
  return [
    ctx.db.delete(grants).where(and(eq(grants.resourceType, type), eq(grants.resourceId, resourceId))),
    ctx.db
      .insert(grants)
      .select(
        sql`SELECT value ->> 0, ${type}, ${resourceId}, value ->> 1, value ->> 2, value ->> 3, ${ctx.now()} FROM json_each(${JSON.stringify(rows)}) WHERE ${exists}`,
      ),
  ] as const;
}
