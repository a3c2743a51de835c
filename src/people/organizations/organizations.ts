import { eq, sql } from "drizzle-orm";
import { requireAdmin, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { groups } from "../groups/tables.ts";
import type { FeatureSwitches } from "../permissions.ts";
import { stillManages } from "../still-manages.ts";
import { users } from "../users/tables.ts";
import {
  isNameTaken,
  nameTaken,
  selectOrganizations,
  toOrganization,
  unknownOrganization,
} from "./organization-rows.ts";
import type { Organization, OrganizationList, RetentionChange } from "./schema.ts";
import { landingRules, organizations } from "./tables.ts";

export interface NewOrganization {
  name: string;
  active: boolean;
  model_ids: string[] | null;
  default_models: string[] | null;
  features: FeatureSwitches;
  max_storage: number | null;
  retention: RetentionChange;
  requires_second_factor: boolean;
}

/** All organizations for system administrators, their own for others. */
export async function listOrganizations(ctx: Context): Promise<OrganizationList> {
  const user = requireUser(ctx);
  const own = user.role === "admin" ? undefined : eq(organizations.id, user.organizationId);
  return { organizations: (await selectOrganizations(ctx, own)).map(toOrganization) };
}

/** @throws AppError `not_found`, also for an organization of others. */
export async function getOrganization(ctx: Context, id: string): Promise<Organization> {
  const user = requireUser(ctx);
  if (user.role !== "admin" && user.organizationId !== id) throw unknownOrganization();
  const [row] = await selectOrganizations(ctx, eq(organizations.id, id));
  if (!row) throw unknownOrganization();
  return toOrganization(row);
}

/** @throws AppError `forbidden`; `conflict` for an existing name. */
export async function createOrganization(ctx: Context, input: NewOrganization): Promise<Organization> {
  const actor = requireAdmin(ctx);
  const id = newId();
  const now = ctx.now();
  const name = input.name.normalize("NFC");
  const { active, features, max_storage: maxStorage, requires_second_factor: requiresSecondFactor } = input;
  const retention = Object.fromEntries(Object.entries(input.retention).filter(([, days]) => days !== null));
  const modelIds = input.model_ids && [...new Set(input.model_ids)];
  const defaultModels = input.default_models && [...new Set(input.default_models)];
  const [, , [row], [state]] = await ctx.db.batch([
    insertWhere(
      ctx.db,
      organizations,
      {
        id,
        name,
        active,
        modelIds,
        defaultModels,
        features: features as Record<string, boolean>,
        maxStorage,
        retention,
        requiresSecondFactor,
        createdAt: now,
        updatedAt: now,
      },
      sql`${stillManages(actor)} AND NOT ${isNameTaken(name, id)}`,
    ),
    auditRowIf(ctx, {
      action: "organization.created",
      targetType: "organization",
      targetId: id,
      organizationId: id,
      detail: {
        name,
        active,
        model_ids: modelIds,
        default_models: defaultModels,
        features,
        max_storage: maxStorage,
        retention,
        requires_second_factor: requiresSecondFactor,
      },
    }),
    selectOrganizations(ctx, eq(organizations.id, id)),
    ctx.db.all<{ taken: number }>(sql`SELECT ${isNameTaken(name, id)} AS taken`),
  ]);
  if (row) return toOrganization(row);
  throw state!.taken ? nameTaken(name) : new AppError("forbidden", "Only an administrator can do this");
}

interface DeleteState {
  may: number;
  known: number;
  is_default: number;
  people: number;
}

/**
 * Deletes an organization without members, with its groups, connections, landing rules and grants.
 * @throws AppError `forbidden`, `not_found`; `conflict` for the default one and for one with people.
 */
export async function deleteOrganization(ctx: Context, id: string): Promise<void> {
  const actor = requireAdmin(ctx);
  const may = stillManages(actor);
  const people = sql`(SELECT count(*) FROM ${users} WHERE organization_id = ${id})`;
  const isDefault = sql`coalesce((SELECT is_default FROM ${organizations} WHERE id = ${id}), 0)`;
  const allowed = sql`(${may} AND NOT ${isDefault} AND ${people} = 0)`;
  const names = (table: "groups" | "connections") =>
    sql`(SELECT json_group_array(name) FROM ${sql.raw(table)} WHERE organization_id = ${id})`;
  const detail = sql`(SELECT json_object('name', name, 'groups', json(${names("groups")}), 'connections', json(${names("connections")}),
    'landing_rules', (SELECT count(*) FROM ${landingRules} WHERE organization_id = ${id})) FROM ${organizations} WHERE id = ${id})`;
  const [[state]] = await ctx.db.batch([
    ctx.db.all<DeleteState>(sql`SELECT ${may} AS may, EXISTS (SELECT 1 FROM ${organizations} WHERE id = ${id}) AS known,
      ${isDefault} AS is_default, ${people} AS people`),
    auditRowIf(
      ctx,
      { action: "organization.deleted", targetType: "organization", targetId: id, organizationId: id, detail },
      sql`${allowed} AND EXISTS (SELECT 1 FROM ${organizations} WHERE id = ${id})`,
    ),
    ctx.db.delete(groups).where(sql`${groups.organizationId} = ${id} AND ${allowed}`),
    ctx.db.run(sql`DELETE FROM connection_checks
      WHERE connection_id IN (SELECT id FROM connections WHERE organization_id = ${id}) AND ${allowed}`),
    ctx.db.delete(organizations).where(sql`${organizations.id} = ${id} AND ${allowed}`),
  ]);
  const { may: still, known, is_default: isTheDefault, people: count } = state!;
  if (!still) throw new AppError("forbidden", "Only an administrator can do this");
  if (!known) throw unknownOrganization();
  if (isTheDefault) throw new AppError("conflict", "The default organization cannot be deleted");
  if (count > 0) {
    const who = count === 1 ? "One person belongs" : `${count} people belong`;
    throw new AppError("conflict", `${who} to this organization: move them to another one first`);
  }
}
