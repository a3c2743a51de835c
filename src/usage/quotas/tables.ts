import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, updatedAt } from "../../db/columns.ts";
import { quotaPeriods, quotaScopes, quotaUnits } from "./schema.ts";

/**
 * Triggers change the stamp `quotas` with every change, and delete quotas of deleted people, groups, keys and
 * organizations.
 */
export const quotas = sqliteTable(
  "quotas",
  {
    id: id(),
    /** The organization whose administrators set it; "" for those of the whole service. */
    organizationId: text("organization_id").notNull(),
    scope: text("scope", { enum: quotaScopes }).notNull(),
    /** "" for everyone. */
    subjectId: text("subject_id").notNull(),
    isShared: flag("is_shared").notNull(),
    /** "" for all models. */
    model: text("model").notNull(),
    unit: text("unit", { enum: quotaUnits }).notNull(),
    period: text("period", { enum: quotaPeriods }).notNull(),
    /** Null: no limit. */
    amount: integer("amount"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("quotas_one").on(
      table.scope,
      table.subjectId,
      table.isShared,
      table.model,
      table.unit,
      table.period,
      table.organizationId,
    ),
  ],
);

/** Whose usage a counter counts; `probe`: the free probes of a service account, which no quota counts. */
export const countedKinds = ["person", "key", "group", "organization", "everyone", "probe"] as const;

/**
 * Usage within a window, as far as quotas need it. Counters belong to people, keys, groups and so on, not to quotas:
 * people who join a group keep their usage.
 */
export const quotaCounters = sqliteTable(
  "quota_counters",
  {
    kind: text("kind", { enum: countedKinds }).notNull(),
    /** "" for everyone. */
    subjectId: text("subject_id").notNull(),
    /** "" for all models. */
    model: text("model").notNull(),
    unit: text("unit", { enum: quotaUnits }).notNull(),
    period: text("period", { enum: quotaPeriods }).notNull(),
    /** First moment of the window, epoch seconds. */
    start: integer("start").notNull(),
    used: integer("used").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subjectId, table.kind, table.model, table.unit, table.period, table.start] }),
    index("quota_counters_start").on(table.start),
  ],
);
