import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { newId } from "../../lib/id.ts";
import { organizationOf } from "../../people/groups/group-rows.ts";
import { groupMembers, groups } from "../../people/groups/tables.ts";
import { defaultOrganizationId } from "../../people/organizations/default-organization.ts";
import { answerList } from "../answer-list.ts";
import { auditedWrite, requireWritten } from "../audited-write.ts";
import { compileList, parseListQuery } from "../list-query.ts";
import { noteRequest } from "../note-request.ts";
import { parsePatch } from "../patch/parse-patch.ts";
import { type GroupPlan, planGroupPatch, readGroupDocument } from "../patch/plan-group-patch.ts";
import { locationOf } from "../paths.ts";
import { project, type Projection } from "../projection.ts";
import { requireProvisioner } from "../require-provisioner.ts";
import type { ScimList } from "../schema.ts";
import { ScimError } from "../scim-error.ts";
import { groupAttributes, groupSorts } from "./group-attributes.ts";
import { groupSnapshot, selectGroup, selectGroups, toScimGroup } from "./scim-group-rows.ts";
import { mayBeOpen } from "./member-changes.ts";
import {
  acceptablePlan,
  groupErrors,
  type GroupReason,
  recheckMembers,
  unknownGroup,
  unknownGroupReason,
  writeGroup,
  type WrittenGroup,
} from "./write-group.ts";

/** A body as changes: what it names is set. @throws ScimError `invalidValue` without a displayName. */
function planOf(body: unknown): GroupPlan & { displayName: string } {
  const { displayName, externalId, members } = readGroupDocument(body);
  if (displayName === undefined) throw new ScimError("invalidValue", 'A group needs a "displayName".');
  const steps = members === undefined ? [] : [{ kind: "replace" as const, ids: members }];
  return { displayName, externalId: externalId ?? null, members: steps };
}

/** Groups of the identity provider belong to the default organization: they hold for everyone. @throws ScimError. */
export async function createGroup(
  ctx: Context,
  body: unknown,
  projection: Projection,
): Promise<WrittenGroup & { location: string }> {
  requireProvisioner(ctx);
  const plan = acceptablePlan(planOf(body));
  const id = newId();
  const now = ctx.now();
  const { displayName = "", externalId = null } = plan;
  const written = await writeGroup(ctx, id, "POST", plan, { projection }, ({ allowed }) => [
    insertWhere(
      ctx.db,
      groups,
      {
        id,
        organizationId: defaultOrganizationId,
        userId: null,
        name: displayName,
        externalId,
        permissions: {},
        createdAt: now,
        updatedAt: now,
      },
      allowed,
    ),
  ]);
  return { ...written, location: locationOf(ctx, "Groups", id) };
}

/**
 * Replaces name and externalId, and the members where the body has any list of them, an empty one too. A body without one keeps
 * them: providers that only rename must not empty a group.
 * @throws ScimError; AppError `not_found`.
 */
export async function replaceGroup(
  ctx: Context,
  groupId: string,
  body: unknown,
  projection: Projection,
): Promise<WrittenGroup> {
  requireProvisioner(ctx);
  return writeGroup(ctx, groupId, "PUT", acceptablePlan(planOf(body)), { projection });
}

/**
 * Applies all operations or none.
 * @throws ScimError as the operations say; AppError `not_found`.
 */
export async function patchGroup(
  ctx: Context,
  groupId: string,
  body: unknown,
  answer: { projection: Projection; maxMembers?: number },
): Promise<WrittenGroup> {
  requireProvisioner(ctx);
  const plan = acceptablePlan(planGroupPatch(parsePatch(body)));
  return writeGroup(ctx, groupId, "PATCH", plan, answer);
}

/** Its members keep their accounts and lose what the group gave them. @throws AppError `not_found`. */
export async function deleteGroup(ctx: Context, groupId: string): Promise<void> {
  requireProvisioner(ctx);
  const errors = groupErrors();
  const write = auditedWrite<GroupReason>(ctx, {
    action: "scim.group.deleted",
    operation: "DELETE",
    targetType: "group",
    targetId: groupId,
    organizationId: organizationOf(groupId),
    reason: sql`CASE ${unknownGroupReason(groupId)} END`,
    errors,
    snapshot: groupSnapshot(groupId),
  });
  const [, members, , , outcome] = await ctx.db.batch([
    write.decide,
    ctx.db
      .delete(groupMembers)
      .where(and(eq(groupMembers.groupId, groupId), write.allowed))
      .returning({ user_id: groupMembers.userId, may_be_open: mayBeOpen }),
    ctx.db.delete(groups).where(and(eq(groups.id, groupId), write.allowed)),
    write.complete,
    write.outcome,
  ]);
  requireWritten(outcome, errors);
  recheckMembers(ctx, members);
}

/** @throws AppError `not_found`. */
export async function getGroup(
  ctx: Context,
  groupId: string,
  projection: Projection,
): Promise<Record<string, unknown>> {
  requireProvisioner(ctx);
  const [row] = await selectGroup(ctx, groupId, projection);
  if (!row) throw unknownGroup();
  noteRequest(ctx, {
    action: "scim.group.read",
    targetType: "group",
    targetId: groupId,
    detail: { operation: "GET", displayName: row.name },
  });
  return project(toScimGroup(ctx, row), projection);
}

/** All groups of the service. @throws ScimError `invalidFilter`, `invalidValue`. */
export async function listGroups(ctx: Context, given: Record<string, unknown>): Promise<ScimList> {
  requireProvisioner(ctx);
  const query = parseListQuery(given);
  const { where, orderBy } = compileList(query, groupAttributes(ctx), groupSorts, sql`groups.id`);
  const [rows, [counted]] = await ctx.db.batch([
    selectGroups(ctx, query.projection)
      .where(where)
      .orderBy(orderBy)
      .limit(query.count)
      .offset(query.startIndex - 1),
    ctx.db
      .select({ total: sql<number>`count(*)` })
      .from(groups)
      .where(where),
  ]);
  return answerList(
    ctx,
    query,
    "group",
    rows.map((row) => toScimGroup(ctx, row)),
    counted!.total,
  );
}
