import type { User } from "../../../access.ts";
import type { Settings } from "../../../context.ts";

/** Whether this person needs a second factor when they sign in with a password: by the setting, or by their organization. */
export function isRequiredFor(
  { SECOND_FACTOR: who }: Pick<Settings, "SECOND_FACTOR">,
  user: Pick<User, "role" | "organizationRole" | "accountKind" | "organizationNeedsFactor">,
): boolean {
  if (user.accountKind !== "person") return false;
  if (user.organizationNeedsFactor) return true;
  if (who === "optional") return false;
  return who === "everyone" || user.role === "admin" || (user.role === "user" && user.organizationRole === "admin");
}
