import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";

/** Whether the caller may have a webhook for finished answers. */
export function mayHaveWebhook(ctx: Context): boolean {
  return ctx.settings.ENABLE_USER_WEBHOOKS && requireUser(ctx).permissions.features.webhooks;
}
