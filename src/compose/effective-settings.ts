import type { Definition } from "../settings/definition.ts";
import { definitions, type Environment, type Settings, settingNames } from "./settings.ts";

/** Environment over stored rows over defaults. Stored values that no longer fit their schema count as not stored. */
export function effectiveSettings(environment: Environment, stored: Record<string, unknown>): Settings {
  const values: Record<string, unknown> = {};
  for (const name of settingNames) {
    const definition = definitions[name] as Definition;
    values[name] = definition.default;
    if (definition.where === "anywhere" && name in stored) {
      const parsed = definition.schema.safeParse(stored[name]);
      if (parsed.success) values[name] = parsed.data;
    }
    if (environment[name] !== undefined) values[name] = environment[name];
  }
  return values as unknown as Settings;
}
