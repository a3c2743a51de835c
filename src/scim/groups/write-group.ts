import { and, eq, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import * as z from "zod";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { organizationOf } from "../../people/groups/group-rows.ts";
import { groups } from "../../people/groups/tables.ts";
import { serviceAccountIds } from "../../people/users/visible-users.ts";
import { type AuditedWrite, auditedWrite, type Outcome, requireWritten } from "../audited-write.ts";
import { nextUpdate } from "../next-update.ts";
import type { GroupPlan } from "../patch/plan-group-patch.ts";
import type { Projection } from "../projection.ts";
import type { ScimGroup } from "../schema.ts";
import { ScimError } from "../scim-error.ts";
import { auditedSteps, memberChanges, unknownMembers } from "./member-changes.ts";
import { groupSnapshot, selectGroup, toScimGroup } from "./scim-group-rows.ts";

/** Ids that an answer or an audit row names. */
const maxNamed = 200;

export type GroupReason = "unknown" | "display_name" | "external_id";

export function unknownGroup(): AppError {
  return new AppError("not_found", "No such group");
}

/** Created for each request, because an error belongs to one response. */
export function groupErrors(): Record<GroupReason, AppError> {
  return {
    unknown: unknownGroup(),
    display_name: new ScimError(
      "uniqueness",
      "displayName is already in use by another group (compared case-insensitively)",
    ),
    external_id: new ScimError("uniqueness", "externalId is already in use by another group"),
  };
}

export const unknownGroupReason = (groupId: string) =>
  sql`WHEN NOT EXISTS (SELECT 1 FROM groups g WHERE g.id = ${groupId}) THEN 'unknown'`;

/** Why a group cannot have this name or id, ignoring its current ones. */
export function takenGroupReason(groupId: string, { displayName, externalId }: Omit<GroupPlan, "members">): SQL {
  const isNew = (same: SQL) => sql`NOT EXISTS (SELECT 1 FROM groups g WHERE g.id = ${groupId} AND ${same})`;
  const other = (same: SQL) => sql`EXISTS (SELECT 1 FROM groups o WHERE ${same} AND o.id <> ${groupId})`;
  const name = sql`lower(${displayName})`;
  const byName =
    displayName === undefined
      ? sql``
      : sql`WHEN ${isNew(sql`lower(g.name) = ${name}`)} AND ${other(sql`lower(o.name) = ${name}`)} THEN 'display_name'`;
  const byId =
    typeof externalId === "string" ? sql`WHEN ${other(sql`o.external_id = ${externalId}`)} THEN 'external_id'` : sql``;
  return sql`${byName} ${byId}`;
}

const name = z
  .string()
  .trim()
  .min(1, "a name of at least one character")
  .max(256)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "a name without line breaks and control characters");

/**
 * The validated plan.
 * @throws ScimError `invalidValue`.
 */
export function acceptablePlan(plan: GroupPlan): GroupPlan {
  const { externalId } = plan;
  if (typeof externalId === "string" && (externalId.length > 500 || !externalId.isWellFormed()))
    throw new ScimError("invalidValue", "externalId is longer than 500 characters or has control characters");
  if (plan.displayName === undefined) return plan;
  const parsed = name.safeParse(plan.displayName);
  if (!parsed.success) throw new ScimError("invalidValue", `displayName: ${parsed.error.issues[0]!.message}`);
  return { ...plan, displayName: parsed.data };
}

/** A group after a write. */
export interface WrittenGroup {
  /** Without members where there are more than the caller has asked for. */
  resource: ScimGroup;
  memberCount: number;
  /** Ids that were to be added and are nobody's, or not of the group's organization; at most 200 of them. */
  unknown: string[];
}

/**
 * One transaction: the decision, the member changes as differences, the name, the audit row. Unknown people are skipped
 * and reported, so that they do not prevent the rest.
 * @param answer what is read of the group afterwards: members only up to that many
 * @param first statements that create the group, if it is new
 */
export async function writeGroup(
  ctx: Context,
  groupId: string,
  operation: "POST" | "PUT" | "PATCH",
  plan: GroupPlan,
  answer: { projection: Projection; maxMembers?: number },
  first: (write: AuditedWrite<GroupReason>) => BatchItem<"sqlite">[] = () => [],
): Promise<WrittenGroup> {
  const errors = groupErrors();
  const unknown = unknownMembers(groupId, plan.members, maxNamed);
  const existing = operation === "POST" ? sql`` : unknownGroupReason(groupId);
  const write = auditedWrite<GroupReason>(ctx, {
    action: operation === "POST" ? "scim.group.created" : "scim.group.updated",
    operation,
    targetType: "group",
    targetId: groupId,
    organizationId: organizationOf(groupId),
    reason: sql`CASE WHEN 0 THEN NULL ${existing} ${takenGroupReason(groupId, plan)} END`,
    errors,
    snapshot: groupSnapshot(groupId),
    further: {
      members: sql`json(${JSON.stringify(auditedSteps(plan.members, maxNamed))})`,
      unknown_members: sql`json(${unknown})`,
    },
  });
  const made = first(write);
  const changes = memberChanges(ctx, groupId, plan.members, write.allowed, operation === "POST");
  const results = await runBatch(ctx.db, [
    write.decide,
    ...made,
    ...changes,
    ...groupUpdate(ctx, groupId, plan, write.allowed),
    write.complete,
    write.outcome,
    ctx.db.all(
      sql`SELECT ${unknown} AS ids, (SELECT count(*) FROM group_members gm WHERE gm.group_id = ${groupId}
        AND gm.user_id NOT IN ${serviceAccountIds}) AS members`,
    ),
    selectGroup(ctx, groupId, answer.projection, answer.maxMembers),
  ]);
  requireWritten(results.at(-3) as Outcome<GroupReason>[], errors);
  const [state] = results.at(-2) as { ids: string; members: number }[];
  const [row] = results.at(-1) as Awaited<ReturnType<typeof selectGroup>>;
  const changed = results.slice(1 + made.length, 1 + made.length + changes.length).flat() as ChangedMember[];
  recheckMembers(ctx, changed);
  return { resource: toScimGroup(ctx, row!), memberCount: state!.members, unknown: JSON.parse(state!.ids) as string[] };
}

/** Name and id, where they differ. */
function groupUpdate(
  ctx: Context,
  groupId: string,
  { displayName, externalId }: Omit<GroupPlan, "members">,
  allowed: SQL,
): BatchItem<"sqlite">[] {
  const differs = [
    ...(displayName === undefined ? [] : [sql`name <> ${displayName}`]),
    ...(externalId === undefined ? [] : [sql`external_id IS NOT ${externalId}`]),
  ];
  if (differs.length === 0) return [];
  return [
    ctx.db
      .update(groups)
      .set({
        ...(displayName === undefined ? {} : { name: displayName }),
        ...(externalId === undefined ? {} : { externalId }),
        updatedAt: nextUpdate(ctx.now(), sql`updated_at`),
      })
      .where(and(eq(groups.id, groupId), allowed, sql`(${sql.join(differs, sql` OR `)})`)),
  ];
}

/** Touching statements have none of this. */
export interface ChangedMember {
  user_id?: string;
  may_be_open?: 0 | 1;
}

/**
 * Rechecks the permissions of these people's open connections. The response does not wait, because there may be
 * thousands.
 */
export function recheckMembers(ctx: Context, changed: readonly ChangedMember[]): void {
  const ids = changed.flatMap((member) => (member.user_id !== undefined && member.may_be_open ? member.user_id : []));
  if (ids.length > 0) ctx.waitUntil(ctx.live.recheck([...new Set(ids)]));
}
