import { requireAdmin, requirePermission } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { WhoseEndpoint } from "./schema.ts";
import { serviceEndpoint } from "./service-endpoint.ts";

/** Whose endpoint somebody may look after, as the table has it. */
export interface EndpointOwner {
  whose: WhoseEndpoint;
  /** Column `owner`. */
  owner: string;
  /** Null for the service's. */
  userId: string | null;
}

/**
 * The service's endpoint is for administrators; one of one's own needs the permission `features.webhooks`.
 * @throws AppError `forbidden`, also while webhooks of people are switched off
 */
export function requireEndpoint(ctx: Context, whose: WhoseEndpoint): EndpointOwner {
  if (whose === "service") {
    requireAdmin(ctx);
    return { whose, owner: serviceEndpoint, userId: null };
  }
  const { id } = requirePermission(ctx, "features.webhooks");
  if (!ctx.settings.ENABLE_USER_WEBHOOKS) throw new AppError("forbidden", "User webhooks are switched off");
  return { whose, owner: id, userId: id };
}
