import { providerProblems } from "../people/auth/oidc/providers.ts";
import { type Definition, expected } from "../settings/definition.ts";
import { definitions, type Environment, type SettingName, settingNames } from "./settings.ts";

/** All variable names read from the environment, including aliases. */
export const environmentNames: readonly string[] = settingNames.flatMap((name) => [name, ...aliasesOf(name)]);

export function aliasesOf(name: SettingName): readonly string[] {
  return (definitions[name] as Definition).aliases ?? [];
}

/** An invalid variable; the message has its name and what is expected. */
export class SettingError extends Error {}

/** @throws SettingError with each invalid variable and what is expected, and variables that conflict. */
export function parseEnvironment(variables: Record<string, unknown>): Environment {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const name of settingNames) {
    const given = [name, ...aliasesOf(name)].find(
      (variable) => typeof variables[variable] === "string" && variables[variable] !== "",
    );
    if (given === undefined) continue;
    const definition = definitions[name] as Definition;
    const parsed = definition.schema.safeParse(fromVariable(definition, String(variables[given]).trim()));
    if (parsed.success) values[name] = parsed.data;
    else {
      const shown = definition.secret ? "not valid" : JSON.stringify(variables[given]);
      wrong.push(`${given} is ${shown}, expected ${expected(definition)}${reasonOf(parsed.error.issues[0]!.message)}`);
    }
  }
  if (wrong.length === 0) wrong.push(...providerProblems(values));
  if (wrong.length === 0) wrong.push(...missing(values));
  if (wrong.length > 0) throw new SettingError(wrong.join("\n"));
  return values as Environment;
}

/** The library's own words for a wrong type say nothing more. */
function reasonOf(message: string): string {
  return /^Invalid (?:input|option)/.test(message) ? "" : ` (${message})`;
}

/** What is not there although another setting needs it. */
function missing(values: Record<string, unknown>): string[] {
  return settingNames.flatMap((name) => {
    const value = values[name];
    const isOn = Array.isArray(value) ? value.length > 0 : Boolean(value);
    const required = isOn ? ((definitions[name] as Definition).requires ?? []) : [];
    return required
      .filter((other) => !values[other])
      .map((other) => `${other} is not set, and ${name} needs it: ${definitions[other as SettingName].description}`);
  });
}

function fromVariable(definition: Definition, value: string): unknown {
  switch (definition.type) {
    case "boolean":
      return (
        ({ true: true, "1": true, on: true, false: false, "0": false, off: false } as Record<string, boolean>)[
          value.toLowerCase()
        ] ?? value
      );
    case "number":
      return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    case "list":
      // Keys are matched to addresses by position, so an empty one in between keeps its place.
      return value
        .split(definition.separator ?? ";")
        .map((part) => part.trim())
        .filter((part) => part !== "" || definition.secret);
    default:
      return value;
  }
}
