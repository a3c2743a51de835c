import { hasPermission } from "../access.ts";
import type { Context } from "../context.ts";

/** The organization in whose channels the caller may take part; null for none. */
export function heardOrganization(ctx: Pick<Context, "actor" | "settings">): string | null {
  const { actor } = ctx;
  if (actor.kind !== "user" || actor.role === "pending" || !ctx.settings.ENABLE_CHANNELS) return null;
  return hasPermission(actor, "features.channels") ? actor.organizationId : null;
}
