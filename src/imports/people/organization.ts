import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import * as z from "zod";
import type { Context } from "../../context.ts";
import { newId } from "../../lib/id.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { defaultOrganizationId } from "../../people/organizations/default-organization.ts";
import { landingRules, organizations } from "../../people/organizations/tables.ts";
import { factoryPermissions } from "../../people/permissions.ts";
import { time } from "../../people/schema.ts";
import { retentionKinds } from "../../shared/retention-kinds.ts";
import { defineKind, type ImportRun, type Outcome } from "../kind.ts";
import { freeName, nameFrom, takenIn } from "../record-parts.ts";
import { sourceId } from "../schema.ts";

const maxName = 200;

const shape = z.object({
  kind: z.literal("organization"),
  id: sourceId,
  name: z.string().min(1).max(1000),
  active: z.boolean().default(true),
  /** There is one everywhere: what is in it comes into the one here. */
  is_default: z.boolean().default(false),
  /** Models that its people see; all where it does not say. */
  model_ids: z.array(z.string().min(1).max(600)).max(5000).nullish(),
  /** Models that new chats start with. */
  default_models: z.array(z.string().min(1).max(600)).max(20).nullish(),
  features: z.record(z.string().max(100), z.boolean()).default({}),
  /** Megabytes; 0 for no limit. */
  max_storage: z.number().int().min(0).max(1_000_000_000).nullish(),
  /** Days; 0 for never. */
  retention: z.partialRecord(z.enum(retentionKinds), z.number().int().min(0).max(36_500)).default({}),
  /** Its people need a second factor when they sign in with a password. */
  requires_second_factor: z.boolean().default(false),
  /** Which new accounts land in it; positions count through all organizations. */
  landing_rules: z
    .array(
      z.object({
        kind: z.enum(["attribute", "group", "email_domain"]),
        attribute: z.string().max(300).default(""),
        value: z.string().min(1).max(1000),
        position: z.number().int().min(0).max(100_000).default(0),
      }),
    )
    .max(1000)
    .default([]),
  created_at: time.nullish(),
  updated_at: time.nullish(),
});
type Organization = z.infer<typeof shape>;

/** An organization of people. What a default one has set comes to the default one here, as long as nobody has set anything there. */
export const organizationKind = defineKind<Organization>({
  shape,
  references: () => [],
  taken: takenIn("organizations"),
  readsStored: true,
  plan: planOrganization,
});

async function planOrganization(run: ImportRun, record: Organization, id: string): Promise<Outcome> {
  const { ctx } = run;
  const there = await ctx.db
    .select({
      id: organizations.id,
      name: organizations.name,
      isUntouched: sql<number>`${organizations.createdAt} = ${organizations.updatedAt}`,
    })
    .from(organizations);
  const features = Object.fromEntries(
    Object.entries(record.features).filter(([leaf]) => Object.hasOwn(factoryPermissions.features, leaf)),
  );
  const taken = new Set(
    there.filter((each) => each.id !== defaultOrganizationId).map(({ name }) => name.toLowerCase()),
  );
  const own = nameFrom(record.name.normalize("NFC"), { max: maxName, otherwise: "Organization" });
  const name = freeName(own, maxName, (each) => taken.has(each.toLowerCase()));
  const values = {
    name,
    modelIds: record.model_ids ?? null,
    defaultModels: record.default_models ?? null,
    features,
    maxStorage: record.max_storage ?? null,
    retention: record.retention,
    requiresSecondFactor: record.requires_second_factor,
  };
  if (record.is_default) {
    const isUntouched = there.some((each) => each.id === defaultOrganizationId && each.isUntouched === 1);
    if (!isUntouched)
      return { matched: defaultOrganizationId, notes: ["The default organization here stays as it is"] };
    return {
      matched: defaultOrganizationId,
      statements: [
        ctx.db
          .update(organizations)
          // Only once: afterwards it counts as set.
          .set({ ...values, updatedAt: sql`max(${record.updated_at ?? 0}, ${organizations.createdAt} + 1)` })
          .where(sql`${organizations.id} = ${defaultOrganizationId}`),
        audit(ctx, defaultOrganizationId, "organization.imported", { ...values, landing_rules: record.landing_rules }),
        ...rulesOf(ctx, defaultOrganizationId, record),
      ],
    };
  }
  const now = ctx.now();
  const createdAt = record.created_at ?? now;
  return {
    notes: name === own ? [] : ["There was an organization with this name: it has another one here"],
    statements: [
      ctx.db.insert(organizations).values({
        id,
        active: record.active,
        ...values,
        createdAt,
        updatedAt: record.updated_at ?? createdAt,
      }),
      audit(ctx, id, "organization.created", { ...values, active: record.active, landing_rules: record.landing_rules }),
      ...rulesOf(ctx, id, record),
    ],
  };
}

function audit(ctx: Context, id: string, action: string, detail: Record<string, unknown>): BatchItem<"sqlite"> {
  return auditRow(ctx, { action, targetType: "organization", targetId: id, organizationId: id, detail });
}

function rulesOf(ctx: Context, organizationId: string, { landing_rules: rules }: Organization): BatchItem<"sqlite">[] {
  return rules.map(({ kind, attribute, value, position }) =>
    ctx.db.insert(landingRules).values({
      id: newId(),
      kind,
      attribute,
      value,
      position,
      organizationId,
      createdAt: ctx.now(),
    }),
  );
}
