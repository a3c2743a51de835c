import { inArray } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requireAdmin } from "../access.ts";
import type { SettingName } from "../compose/settings.ts";
import type { Context } from "../context.ts";
import { settings } from "../db/tables.ts";
import { AppError, type Issue } from "../errors.ts";
import { auditRow } from "../people/audit/audit-row.ts";
import { recheckEverybody } from "../people/recheck.ts";
import { type Definition, expected } from "./definition.ts";
import type { SettingValues } from "./schema.ts";

export function settingNamesOf(ctx: Pick<Context, "registry">): SettingName[] {
  return Object.keys(ctx.registry.definitions) as SettingName[];
}

/** The current values of the settings that can be changed at run time. */
export function getSettings(ctx: Context): SettingValues {
  requireAdmin(ctx);
  return pick(ctx, ctx.settings);
}

function pick(ctx: Context, values: Context["settings"]): SettingValues {
  const changeable = settingNamesOf(ctx).filter((name) => {
    const definition: Definition = ctx.registry.definitions[name];
    return definition.where === "anywhere" && !isSecret(definition);
  });
  return Object.fromEntries(changeable.map((name) => [name, values[name] as SettingValues[string]]));
}

/** Whether the environment sets the setting, so that it cannot be changed here. */
export function isLocked(ctx: Context, name: SettingName): boolean {
  return ctx.registry.definitions[name].where === "environment" || ctx.environment[name] !== undefined;
}

/**
 * Changes the settings in the body, in one batch with an audit row; null restores the default. A locked setting may be
 * included with its current value, because clients send back the whole object.
 * @throws AppError `setting_locked` (403); `validation_failed` with each unknown setting and each invalid value.
 */
export async function changeSettings(ctx: Context, change: Record<string, unknown>): Promise<SettingValues> {
  requireAdmin(ctx);
  const parsed = await Promise.all(parseChange(ctx, change).map((entry) => sealed(ctx, entry)));
  const { definitions, effectiveSettings, followSettings } = ctx.registry;
  if (parsed.length === 0) return pick(ctx, ctx.settings);
  const now = ctx.now();
  const cleared = parsed.filter((entry) => entry.value === undefined).map((entry) => entry.name);
  const writes: BatchItem<"sqlite">[] = parsed
    .filter((entry) => entry.value !== undefined)
    .map(({ name, value }) =>
      ctx.db
        .insert(settings)
        .values({ name, value, updatedAt: now })
        .onConflictDoUpdate({ target: settings.name, set: { value, updatedAt: now } }),
    );
  const detail = Object.fromEntries(
    parsed.map(({ name, value }) => [
      name,
      isSecret(definitions[name])
        ? {}
        : {
            from: audited(definitions[name], ctx.settings[name]),
            to: audited(definitions[name], value ?? definitions[name].default),
          },
    ]),
  );
  const results = await ctx.db.batch([
    auditRow(ctx, {
      action: "settings.updated",
      targetType: "settings",
      targetId: "settings",
      detail,
    }),
    ctx.db.delete(settings).where(inArray(settings.name, cleared)),
    ...writes,
    ctx.db.select({ name: settings.name, value: settings.value }).from(settings),
  ]);
  // What keys have opened, and answers over people's own connections, end with them.
  const endsWhatIsOpen = new Set<string>([
    "ENABLE_API_KEYS",
    "ENABLE_DIRECT_CONNECTIONS",
    "SECOND_FACTOR",
    "ENABLE_PASSKEYS",
  ]);
  if (parsed.some(({ name }) => endsWhatIsOpen.has(name))) await recheckEverybody(ctx);
  const stored = results.at(-1) as { name: string; value: unknown }[];
  const inForce = effectiveSettings(ctx.environment, Object.fromEntries(stored.map((row) => [row.name, row.value])));
  // What is embedded how; the timer would see to it too, later.
  if (parsed.some(({ name }) => name.startsWith("RAG_EMBEDDING_"))) await followSettings(ctx, inForce);
  return pick(ctx, inForce);
}

/** Entries that differ from what is in force; `value` is undefined for "back to the default". */
function parseChange(ctx: Context, change: Record<string, unknown>): { name: SettingName; value: unknown }[] {
  const issues: Issue[] = [];
  const locked: string[] = [];
  const parsed: { name: SettingName; value: unknown }[] = [];
  for (const [name, given] of Object.entries(change)) {
    if (!isSettingName(ctx, name)) {
      issues.push({ path: name, message: "no such setting" });
      continue;
    }
    const definition: Definition = ctx.registry.definitions[name];
    const result = given === null ? { success: true as const, data: undefined } : definition.schema.safeParse(given);
    if (isLocked(ctx, name)) {
      if (given === null || JSON.stringify(given) !== JSON.stringify(ctx.settings[name])) locked.push(name);
    } else if (!result.success) {
      issues.push({ path: name, message: `expected ${expected(definition)} (${result.error.issues[0]!.message})` });
    } else if (
      isSecret(definition) ||
      JSON.stringify(result.data ?? definition.default) !== JSON.stringify(ctx.settings[name]) ||
      given === null
    ) {
      parsed.push({ name, value: result.data });
    }
  }
  const [first] = issues;
  if (first) throw new AppError("validation_failed", `${first.path}: ${first.message}`, { issues, param: first.path });
  if (locked.length > 0)
    throw new AppError("setting_locked", `Set by the environment, so it cannot be changed here: ${locked.join(", ")}`, {
      param: locked[0]!,
    });
  return parsed;
}

/** A secret as it is stored: encrypted. An empty one is none. */
async function sealed(ctx: Context, entry: { name: SettingName; value: unknown }): Promise<typeof entry> {
  const { name, value } = entry;
  if (!isSecret(ctx.registry.definitions[name]) || typeof value !== "string") return entry;
  return { name, value: value === "" ? undefined : await ctx.vault.seal(value) };
}

function audited({ audited: shown }: Definition, value: unknown): unknown {
  return shown ? shown(value) : value;
}

function isSecret({ secret }: Definition): boolean {
  return secret === true;
}

function isSettingName(ctx: Context, name: string): name is SettingName {
  return Object.hasOwn(ctx.registry.definitions, name);
}
