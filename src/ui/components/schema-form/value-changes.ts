import { same } from "./check-values.ts";

/**
 * What has to be sent so that the stored values become those of a form: what is different, and null for what goes back to
 * its default.
 */
export function valueChanges(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!(name in after)) changes[name] = null;
  for (const [name, value] of Object.entries(after)) if (!same(before[name], value)) changes[name] = value;
  return changes;
}
