import { eq, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { recheckOrganization } from "../recheck.ts";
import { firstAdministrator, stillManages } from "../still-manages.ts";
import { users } from "../users/tables.ts";
import {
  isNameTaken,
  nameTaken,
  selectOrganizations,
  toOrganization,
  unknownOrganization,
} from "./organization-rows.ts";
import type { NewOrganization } from "./organizations.ts";
import type { Organization } from "./schema.ts";
import { organizations } from "./tables.ts";

/** Undefined fields stay unchanged; so do missing entries of `features`. */
export type OrganizationChange = { [K in keyof NewOrganization]?: NewOrganization[K] | undefined };

interface State {
  may: number;
  known: number;
  taken: number;
  is_default: number;
  is_own: number;
  has_first: number;
}

/**
 * Changes the given fields, in one batch with audit rows; effective for the organization's people from their next
 * request. An organization cannot be switched off while the acting administrator or the first one belongs to it, nor
 * can the default one, where new accounts are created. So one system administrator who can sign in always remains: the
 * acting one.
 * @throws AppError `forbidden`, `not_found`; `conflict` for an existing name and for what cannot be switched off.
 */
export async function changeOrganization(ctx: Context, id: string, input: OrganizationChange): Promise<Organization> {
  const actor = requireAdmin(ctx);
  const change = {
    ...input,
    name: input.name?.normalize("NFC"),
    model_ids: unique(input.model_ids),
    default_models: unique(input.default_models),
  };
  const { name, active } = change;
  const may = stillManages(actor);
  const taken = name === undefined ? sql`0` : isNameTaken(name, id);
  const isDefault = sql`coalesce((SELECT is_default FROM ${organizations} WHERE id = ${id}), 0)`;
  const isHomeOf = (person: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${person} AND organization_id = ${id})`;
  const [isOwn, hasFirst] = [isHomeOf(sql`${actor.id}`), isHomeOf(firstAdministrator)];
  const maySwitch = active === false ? sql`NOT (${isDefault} OR ${isOwn} OR ${hasFirst})` : sql`1`;
  const allowed = sql`(${may} AND NOT ${taken} AND ${maySwitch})`;
  const results = await ctx.db.batch([
    ctx.db.all<State>(sql`SELECT ${may} AS may, EXISTS (SELECT 1 FROM ${organizations} WHERE id = ${id}) AS known,
      ${taken} AS taken, ${isDefault} AS is_default, ${isOwn} AS is_own, ${hasFirst} AS has_first`),
    ...auditRows(ctx, id, change, allowed),
    ctx.db
      .update(organizations)
      .set(valuesOf(ctx, change))
      .where(sql`${organizations.id} = ${id} AND ${allowed}`),
    selectOrganizations(ctx, eq(organizations.id, id)),
  ]);
  requirePossible((results[0] as State[])[0]!, change);
  const [row] = results.at(-1) as Awaited<ReturnType<typeof selectOrganizations>>;
  const changesRights =
    active !== undefined ||
    change.model_ids !== undefined ||
    change.default_models !== undefined ||
    change.features !== undefined ||
    change.requires_second_factor !== undefined;
  if (changesRights) await recheckOrganization(ctx, id);
  return toOrganization(row!);
}

function unique(ids: string[] | null | undefined): string[] | null | undefined {
  return ids && [...new Set(ids)];
}

function requirePossible(state: State, { name, active }: OrganizationChange): void {
  if (!state.may) throw new AppError("forbidden", "Only an administrator can do this");
  if (!state.known) throw unknownOrganization();
  if (state.taken) throw nameTaken(name!);
  if (active !== false) return;
  if (state.is_default)
    throw new AppError("conflict", "The default organization cannot be switched off: new accounts need it");
  if (state.is_own)
    throw new AppError("conflict", "You belong to this organization: if you switch it off, you can no longer sign in");
  if (state.has_first)
    throw new AppError(
      "conflict",
      "The first administrator belongs to this organization: only that person can switch it off",
    );
}

const featuresAfter = (features: NonNullable<OrganizationChange["features"]>) =>
  sql`json_patch(${organizations.features}, ${JSON.stringify(features)})`;

/** A period that is null is left out: the setting decides. */
const retentionAfter = (retention: NonNullable<OrganizationChange["retention"]>) =>
  sql`json_patch(${organizations.retention}, ${JSON.stringify(retention)})`;

function valuesOf(ctx: Context, change: OrganizationChange) {
  const { name, active, model_ids: modelIds, features, max_storage: maxStorage, retention } = change;
  const { requires_second_factor: requiresSecondFactor } = change;
  return {
    updatedAt: ctx.now(),
    ...(name === undefined ? {} : { name }),
    ...(active === undefined ? {} : { active }),
    ...(modelIds === undefined ? {} : { modelIds }),
    ...(change.default_models === undefined ? {} : { defaultModels: change.default_models }),
    ...(features === undefined ? {} : { features: featuresAfter(features) }),
    ...(maxStorage === undefined ? {} : { maxStorage }),
    ...(retention === undefined ? {} : { retention: retentionAfter(retention) }),
    ...(requiresSecondFactor === undefined ? {} : { requiresSecondFactor }),
  };
}

/** One row for each thing that really changes. */
function auditRows(ctx: Context, id: string, change: OrganizationChange, allowed: SQL): BatchItem<"sqlite">[] {
  const { name, active, model_ids: modelIds, default_models: defaults, features } = change;
  const { max_storage: maxStorage, retention, requires_second_factor: requires } = change;
  const row = (action: string, from: SQL, to: SQL) =>
    auditRowIf(
      ctx,
      {
        action,
        targetType: "organization",
        targetId: id,
        organizationId: id,
        detail: sql`(SELECT json_object('name', name, 'from', ${from}, 'to', ${to}) FROM ${organizations} WHERE id = ${id})`,
      },
      sql`${allowed} AND EXISTS (SELECT 1 FROM ${organizations} WHERE id = ${id} AND ${from} IS NOT ${to})`,
    );
  const list = (ids: string[] | null) => (ids ? sql`json(${JSON.stringify(ids)})` : sql`NULL`);
  return [
    ...(name === undefined ? [] : [row("organization.renamed", sql`name`, sql`${name}`)]),
    ...(active === undefined
      ? []
      : [row(active ? "organization.activated" : "organization.deactivated", sql`active`, sql`${active ? 1 : 0}`)]),
    ...(modelIds === undefined ? [] : [row("organization.models_updated", sql`json(model_ids)`, list(modelIds))]),
    ...(defaults === undefined
      ? []
      : [row("organization.default_models_updated", sql`json(default_models)`, list(defaults))]),
    ...(features === undefined
      ? []
      : [row("organization.features_updated", sql`json(features)`, sql`json(${featuresAfter(features)})`)]),
    ...(maxStorage === undefined
      ? []
      : [row("organization.storage_limit_updated", sql`max_storage`, sql`${maxStorage}`)]),
    ...(retention === undefined
      ? []
      : [row("organization.retention_updated", sql`json(retention)`, sql`json(${retentionAfter(retention)})`)]),
    ...(requires === undefined
      ? []
      : [
          row(
            "organization.second_factor_updated",
            sql`json(iif(requires_second_factor, 'true', 'false'))`,
            sql`json(${String(requires)})`,
          ),
        ]),
  ];
}
