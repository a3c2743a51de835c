import { eq } from "drizzle-orm";
import * as z from "zod";
import type { SettingName } from "../../compose/settings.ts";
import type { Context } from "../../context.ts";
import { settings } from "../../db/tables.ts";
import { AppError } from "../../errors.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { defaultPermissionsRow } from "../../people/auth/resolve-actor.ts";
import { isLocked, settingNamesOf } from "../../settings/change-settings.ts";
import { type Definition, expected } from "../../settings/definition.ts";
import { defineKind, type ImportRun, type Outcome } from "../kind.ts";
import { splitPermissions } from "../people/group.ts";
import { sourceId } from "../schema.ts";

const shape = z.object({
  kind: z.literal("setting"),
  id: sourceId,
  /** As it is called here, or `permissions.default` for what everybody may do. */
  name: z.string().max(200),
  value: z.unknown(),
});
type Setting = z.infer<typeof shape>;

/** A setting that nobody has changed here. */
export const setting = defineKind<Setting>({ shape, references: () => [], plan: planSetting });

async function planSetting(run: ImportRun, { name, value: given }: Setting): Promise<Outcome> {
  const { ctx } = run;
  const isPermissions = name === defaultPermissionsRow;
  const { value, notes } = isPermissions ? permissionsOf(given) : { value: valueOf(ctx, name, given), notes: [] };
  const [there] = await ctx.db.select({ value: settings.value }).from(settings).where(eq(settings.name, name));
  if (there) return { leftOut: "An administrator has set it here already" };
  const updatedAt = ctx.now();
  return {
    statements: [
      ctx.db.insert(settings).values({ name, value, updatedAt }).onConflictDoNothing(),
      auditRow(ctx, {
        ...(isPermissions
          ? { action: "permissions.default_updated", targetType: "permissions", targetId: "default" }
          : { action: "settings.updated", targetType: "settings", targetId: "settings" }),
        detail: { [name]: { to: value } },
      }),
    ],
    notes,
  };
}

/** @throws AppError `validation_failed`, `setting_locked` */
function valueOf(ctx: Context, name: string, given: unknown): unknown {
  const known = settingNamesOf(ctx).find((each): each is SettingName => each === name);
  const definition: Definition | undefined = known && ctx.registry.definitions[known];
  if (!known || !definition || definition.secret || definition.audited)
    throw new AppError("validation_failed", `There is no setting ${name} that could be imported`);
  if (isLocked(ctx, known)) throw new AppError("setting_locked", "The environment sets it here");
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
    notes: unknown.length > 0 ? [`Permissions that there are not here: ${unknown.join(", ").slice(0, 2000)}`] : [],
  };
}
