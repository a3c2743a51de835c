import { requireAdmin } from "../access.ts";
import type { Context } from "../context.ts";
import { isLocked, settingNamesOf } from "./change-settings.ts";
import type { Definition } from "./definition.ts";
import type { SettingsSchema } from "./schema.ts";

type Described = SettingsSchema["settings"][number];

/** All settings with texts and current values; values of secrets are never returned. */
export function describeSettings(ctx: Context): SettingsSchema {
  requireAdmin(ctx);
  return {
    settings: settingNamesOf(ctx).map((name): Described => {
      const definition: Definition = ctx.registry.definitions[name];
      const secret = definition.secret === true;
      return {
        name,
        section: definition.section,
        type: definition.type,
        ...(definition.options ? { options: [...definition.options] } : {}),
        ...(definition.picks ? { picks: definition.picks } : {}),
        default: secret ? null : (definition.default as Described["default"]),
        value: secret ? null : (ctx.settings[name] as Described["value"]),
        editable: definition.where === "anywhere",
        locked: isLocked(ctx, name),
        secret,
        ...(secret ? { is_set: ctx.settings[name] !== definition.default } : {}),
        title: definition.title,
        description: definition.description,
      };
    }),
  };
}
