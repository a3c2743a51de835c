import { eq } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context, Settings } from "../../context.ts";
import { organizations } from "../../people/organizations/tables.ts";
import { retentionKinds, settingOfKind } from "../../shared/retention-kinds.ts";
import type { EffectivePeriods } from "./schema.ts";

type OwnPeriods = Partial<EffectivePeriods>;

/** An organization's periods: its own before those of the settings. */
export function periodsFor(settings: Settings, own: OwnPeriods = {}): EffectivePeriods {
  return Object.fromEntries(
    retentionKinds.map((kind) => [kind, own[kind] ?? settings[settingOfKind[kind]]]),
  ) as EffectivePeriods;
}

/** The periods that the caller's things have. */
export async function getOwnPeriods(ctx: Context): Promise<EffectivePeriods> {
  const { organizationId } = requireUser(ctx);
  const [row] = await ctx.db
    .select({ own: organizations.retention })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return periodsFor(ctx.settings, row?.own);
}
