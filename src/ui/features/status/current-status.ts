import type { UserStatus } from "../../../people/users/schema.ts";
import { nowSeconds } from "../../lib/now-seconds.ts";
import { session } from "../../lib/session.svelte.ts";

/** Whether people can have a status here. */
export function hasStatus(): boolean {
  return session.config.features["enable_user_status"] === true;
}

/** What is shown of a person's status; both empty without one. */
export function currentStatus(person: Partial<UserStatus> | undefined): { emoji: string; text: string } {
  const { status_emoji: emoji, status_message: text, status_expires_at: end } = person ?? {};
  if (!hasStatus() || (typeof end === "number" && end <= nowSeconds())) return { emoji: "", text: "" };
  // Open WebUI's page stores short codes, which mean nothing without its list.
  return { emoji: emoji && !/^[\w+:-]+$/.test(emoji) ? emoji : "", text: text ?? "" };
}
