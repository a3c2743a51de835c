import { desc, sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { retentionKinds } from "../../shared/retention-kinds.ts";
import { factoryPermissions, type FeatureSwitches } from "../permissions.ts";
import type { Organization, RetentionPeriods } from "./schema.ts";
import { organizations } from "./tables.ts";

const columns = {
  id: organizations.id,
  name: organizations.name,
  active: organizations.active,
  isDefault: organizations.isDefault,
  modelIds: organizations.modelIds,
  defaultModels: organizations.defaultModels,
  features: organizations.features,
  maxStorage: organizations.maxStorage,
  retention: organizations.retention,
  requiresSecondFactor: organizations.requiresSecondFactor,
  storageBytes: sql<number>`coalesce((SELECT t.bytes FROM storage_totals t WHERE t.scope = organizations.id), 0)`,
  fileCount: sql<number>`coalesce((SELECT t.files FROM storage_totals t WHERE t.scope = organizations.id), 0)`,
  memberCount: sql<number>`(SELECT count(*) FROM users m WHERE m.organization_id = organizations.id)`,
  createdAt: organizations.createdAt,
  updatedAt: organizations.updatedAt,
};

/** Organizations by name, default first. */
export function selectOrganizations(ctx: Context, where?: SQL) {
  return ctx.db
    .select(columns)
    .from(organizations)
    .where(where)
    .orderBy(desc(organizations.isDefault), sql`organizations.name COLLATE NOCASE`, organizations.id);
}

export function toOrganization(row: Awaited<ReturnType<typeof selectOrganizations>>[number]): Organization {
  const switches: FeatureSwitches = row.features;
  return {
    id: row.id,
    name: row.name,
    active: row.active,
    is_default: row.isDefault,
    model_ids: row.modelIds,
    default_models: row.defaultModels,
    features: Object.fromEntries(
      Object.keys(factoryPermissions.features).map((leaf) => [leaf, switches[leaf as keyof FeatureSwitches] !== false]),
    ),
    max_storage: row.maxStorage,
    retention: Object.fromEntries(
      retentionKinds.map((kind) => [kind, row.retention[kind] ?? null]),
    ) as RetentionPeriods,
    requires_second_factor: row.requiresSecondFactor,
    member_count: row.memberCount,
    storage_bytes: row.storageBytes,
    file_count: row.fileCount,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

/**
 * SQL: whether another organization has the name, case-insensitively. SQLite folds only ASCII letters, so three
 * spellings are checked.
 */
export function isNameTaken(name: string, exceptId: string): SQL {
  const spellings = JSON.stringify([name, name.toLowerCase(), name.toUpperCase()]);
  return sql`EXISTS (SELECT 1 FROM ${organizations} o, json_each(${spellings}) s
    WHERE o.id <> ${exceptId} AND lower(o.name) = lower(s.value))`;
}

export function nameTaken(name: string): AppError {
  return new AppError("conflict", `An organization named ${name} already exists`, { param: "name" });
}

export function unknownOrganization(): AppError {
  return new AppError("not_found", "No such organization");
}
