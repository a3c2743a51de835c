import { eq } from "drizzle-orm";
import * as z from "zod";
import type { SettingName } from "../../compose/settings.ts";
import type { Context } from "../../context.ts";
import { settings } from "../../db/tables.ts";
import { AppError } from "../../errors.ts";
import { cutText } from "../../lib/cut-text.ts";
import { newId } from "../../lib/id.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { defaultPermissionsRow } from "../../people/auth/resolve-actor.ts";
import { recheckEverybody } from "../../people/recheck.ts";
import { insertBanners, listBanners } from "../../settings/banners/banners.ts";
import { banner, maxBanners } from "../../settings/banners/schema.ts";
import { isLocked, settingNamesOf } from "../../settings/change-settings.ts";
import { type Definition, expected } from "../../settings/definition.ts";
import { defineKind, type ImportRun, type Outcome } from "../kind.ts";
import { splitPermissions } from "../people/group.ts";
import { sourceId } from "../schema.ts";

const maxToldLength = 200;

const shape = z.object({
  kind: z.literal("setting"),
  id: sourceId,
  /** As it is called here, `permissions.default` for what everybody may do, or `banners`. */
  name: z.string().max(200),
  value: z.unknown().optional(),
});
type Setting = z.infer<typeof shape>;

/** A setting that nobody has changed here. */
export const settingKind = defineKind<Setting>({ shape, references: () => [], plan: planSetting });

async function planSetting(run: ImportRun, { name, value: given }: Setting): Promise<Outcome> {
  const { ctx } = run;
  if (name === "banners") return planBanners(ctx, given);
  const isPermissions = name === defaultPermissionsRow;
  const known = isPermissions ? undefined : requireSetting(ctx, name);
  const [there] = await ctx.db.select({ name: settings.name }).from(settings).where(eq(settings.name, name));
  if (there) return { leftOut: "An administrator has set it here already" };
  if (known && isLocked(ctx, known)) return { leftOut: "The environment sets it here" };
  const { value, notes } = known ? { value: valueOf(ctx, known, given), notes: [] } : permissionsOf(given);
  const isSecret = known !== undefined && holdsSecret(ctx, known);
  const shown = isSecret ? {} : { to: value };
  const told = isSecret
    ? `${name} is set`
    : known
      ? `${name} is set to ${cutText(JSON.stringify(value), maxToldLength)}`
      : "What everybody may do is set";
  const updatedAt = ctx.now();
  return {
    statements: [
      ctx.db.insert(settings).values({ name, value, updatedAt }).onConflictDoNothing(),
      auditRow(ctx, {
        ...(isPermissions
          ? { action: "permissions.default_updated", targetType: "permissions", targetId: "default" }
          : { action: "settings.updated", targetType: "settings", targetId: "settings" }),
        detail: { [name]: shown },
      }),
    ],
    // So that a dry run lists what would be set.
    notes: [told, ...notes],
    // What somebody has open ends where they may do it no more.
    ...(isPermissions || name === "ENABLE_API_KEYS" ? { rest: () => recheckEverybody(ctx) } : {}),
  };
}

/** Notices, where there are none here. Those of another form are left out. */
async function planBanners(ctx: Context, given: unknown): Promise<Outcome> {
  const all = Array.isArray(given) ? given.map((each) => banner.safeParse(each)) : [];
  const found = all.flatMap(({ data }) => data ?? []).slice(0, maxBanners);
  if (found.length === 0) return { leftOut: "There are none, or none that can be shown here" };
  if ((await listBanners(ctx)).length > 0) return { leftOut: "There are banners here already" };
  const ids = new Set(found.map(({ id }) => id));
  const kept = ids.size === found.length ? found : found.map((each) => ({ ...each, id: newId() }));
  const left = all.length - found.length;
  return {
    statements: [
      ...insertBanners(ctx, kept),
      auditRow(ctx, {
        action: "banners.updated",
        targetType: "settings",
        targetId: "banners",
        detail: { count: kept.length },
      }),
    ],
    notes: [
      `${kept.length === 1 ? "One banner is" : `${kept.length} banners are`} shown to everyone`,
      ...(left > 0 ? [`${left} without a text, or with a longer one than can be shown here`] : []),
    ],
  };
}

function holdsSecret(ctx: Context, name: SettingName): boolean {
  const definition: Definition = ctx.registry.definitions[name];
  return definition.secret === true || definition.audited !== undefined;
}

/** @throws AppError `validation_failed` for one that there is not */
function requireSetting(ctx: Context, name: string): SettingName {
  const known = settingNamesOf(ctx).find((each) => each === name);
  if (!known) throw new AppError("validation_failed", `There is no setting "${name}" that could be imported`);
  return known;
}

/** @throws AppError `validation_failed` */
function valueOf(ctx: Context, name: SettingName, given: unknown): unknown {
  const definition: Definition = ctx.registry.definitions[name];
  const parsed = definition.schema.safeParse(given);
  if (!parsed.success) throw new AppError("validation_failed", `Expected ${expected(definition)}`);
  return parsed.data;
}

function permissionsOf(given: unknown): { value: unknown; notes: string[] } {
  const tree = z.record(z.string().max(200), z.unknown()).safeParse(given);
  if (!tree.success) throw new AppError("validation_failed", "Expected a tree of permissions");
  const { permissions, unknown } = splitPermissions(tree.data);
  return {
    value: permissions,
    notes: unknown.length > 0 ? [`Permissions that don't exist here: ${unknown.join(", ").slice(0, 2000)}`] : [],
  };
}
