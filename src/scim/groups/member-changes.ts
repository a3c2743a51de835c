import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { defaultOrganizationId } from "../../people/organizations/default-organization.ts";
import { serviceAccountIds } from "../../people/users/visible-users.ts";
import { filterToSql } from "../filter/filter-to-sql.ts";
import { nextUpdate } from "../next-update.ts";
import type { MemberStep } from "../patch/member-steps.ts";
import { members } from "./group-attributes.ts";

/**
 * The people of a JSON list who may be members: of the group's organization, or anyone where that is the default one. Service
 * accounts are put into groups here, and the identity provider neither adds nor removes them.
 */
const fitting = (
  groupId: string,
  ids: SQL,
) => sql`SELECT u.id FROM json_each(${ids}) j JOIN users u ON u.id = j.value JOIN groups g ON g.id = ${groupId}
  WHERE u.kind = 'person' AND (g.organization_id = ${defaultOrganizationId} OR g.organization_id = u.organization_id)`;

/** Whether the person of a changed row may have something open that is decided by their rights. */
export const mayBeOpen = sql<0 | 1>`(EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = group_members.user_id)
  OR EXISTS (SELECT 1 FROM api_keys k WHERE k.user_id = group_members.user_id))`;

/**
 * The steps as statements over the difference, for any number of members: lists are one JSON parameter, and nothing is
 * read to be written back. Each returns the changed people; the group's time changes if there are any, unless it is
 * new.
 */
export function memberChanges(
  ctx: Context,
  groupId: string,
  steps: readonly MemberStep[],
  allowed: SQL,
  isNew: boolean,
): BatchItem<"sqlite">[] {
  const touch = ctx.db.run(
    sql`UPDATE groups SET updated_at = ${nextUpdate(ctx.now(), sql`updated_at`)} WHERE id = ${groupId} AND changes() > 0`,
  );
  return steps.flatMap((step) =>
    stepStatements(ctx, groupId, step, allowed).flatMap((statement) => (isNew ? [statement] : [statement, touch])),
  );
}

function stepStatements(ctx: Context, groupId: string, step: MemberStep, allowed: SQL): BatchItem<"sqlite">[] {
  const remove = (condition: SQL) =>
    ctx.db.all(
      sql`DELETE FROM group_members WHERE group_id = ${groupId} AND ${allowed} AND ${condition}
        AND user_id NOT IN ${serviceAccountIds} RETURNING user_id, ${mayBeOpen} AS may_be_open`,
    );
  // Whom a sign-in provider's claim had put here is here by SCIM from now on: the claim cannot take them back.
  const add = (ids: SQL) =>
    ctx.db.all(sql`INSERT INTO group_members (group_id, user_id, created_at)
      SELECT ${groupId}, id, ${ctx.now()} FROM (${fitting(groupId, ids)}) WHERE ${allowed}
      ON CONFLICT DO UPDATE SET source = NULL WHERE source IS NOT NULL RETURNING user_id, ${mayBeOpen} AS may_be_open`);
  switch (step.kind) {
    case "add":
      return [add(list(step.ids))];
    case "remove":
      return [remove(sql`user_id IN (SELECT value FROM json_each(${list(step.ids)}))`)];
    case "replace":
      return [remove(sql`user_id NOT IN (SELECT value FROM json_each(${list(step.ids)}))`), add(list(step.ids))];
    case "removeAll":
      return [remove(sql`1`)];
    case "removeWhere": {
      const { from, attributes } = members(ctx);
      return [
        remove(
          sql`user_id IN (SELECT gm.user_id FROM ${from} WHERE gm.group_id = ${groupId} AND ${filterToSql(step.filter, attributes)})`,
        ),
      ];
    }
  }
}

/** SQL for a JSON list of unknown people among those to add, up to a limit. */
export function unknownMembers(groupId: string, steps: readonly MemberStep[], max: number): SQL {
  const added = steps.flatMap((step) => (step.kind === "add" || step.kind === "replace" ? step.ids : []));
  if (added.length === 0) return sql`'[]'`;
  const ids = list([...new Set(added)]);
  return sql`(SELECT json_group_array(value) FROM (SELECT a.value FROM json_each(${ids}) a WHERE a.value NOT IN (${fitting(groupId, ids)}) LIMIT ${max}))`;
}

/** The audit data of the steps: the number of people, and the first of them. */
export function auditedSteps(steps: readonly MemberStep[], max: number): object[] {
  return steps.map((step) => ("ids" in step ? { ...step, count: step.ids.length, ids: step.ids.slice(0, max) } : step));
}

function list(ids: readonly string[]): SQL {
  return sql`${JSON.stringify(ids)}`;
}
