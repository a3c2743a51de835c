import type { SettingName } from "../compose/settings.ts";
import type { Context } from "../context.ts";

/**
 * The value of a secret setting. What the environment sets is plain; what was entered in the web page is kept encrypted.
 * @returns an empty text where nothing is set
 * @throws Error if it cannot be decrypted with this service's keys
 */
export async function readSecret(
  ctx: Pick<Context, "settings" | "environment" | "vault">,
  name: SettingName,
): Promise<string> {
  const fixed = ctx.environment[name];
  if (typeof fixed === "string") return fixed;
  const kept = ctx.settings[name];
  return typeof kept === "string" && kept !== "" ? ctx.vault.open(kept) : "";
}
