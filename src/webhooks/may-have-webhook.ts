import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";

/** Whether the caller may have an address of their own told of finished answers. */
export function mayHaveWebhook(ctx: Context): boolean {
  return ctx.settings.ENABLE_USER_WEBHOOKS && requireUser(ctx).permissions.features.webhooks;
}
