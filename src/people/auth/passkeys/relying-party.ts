import type { Context, Settings } from "../../../context.ts";
import { AppError } from "../../../errors.ts";

/** Whether passkeys sign in here, and count as a second factor: they are for accounts with a password. */
export function arePasskeysOn(settings: Pick<Settings, "ENABLE_PASSKEYS" | "ENABLE_PASSWORD_AUTH">): boolean {
  return settings.ENABLE_PASSKEYS && settings.ENABLE_PASSWORD_AUTH;
}

/** @throws AppError `forbidden` */
export function requirePasskeys({ settings }: Pick<Context, "settings">): void {
  if (!arePasskeysOn(settings)) throw new AppError("forbidden", "Passkeys are switched off here");
}

/** The service as browsers know it: the host name that passkeys belong to, and the origin that they are used on. */
export function relyingParty({ origin: address }: Pick<Context, "origin">): { id: string; origin: string } {
  // The public address may have a path (BASE_PATH), which is no part of an origin.
  const { hostname, origin } = new URL(address);
  return { id: hostname, origin };
}
