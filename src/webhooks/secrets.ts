import { eq, sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { newId } from "../lib/id.ts";
import { auditRow } from "../people/audit/audit-row.ts";
import { previousUntil } from "./endpoints.ts";
import { openSecrets } from "./open-secrets.ts";
import { requireEndpoint, type EndpointOwner } from "./require-endpoint.ts";
import type { SecretView, WhoseEndpoint } from "./schema.ts";
import { serviceEndpoint } from "./service-endpoint.ts";
import { newSecret, overlapMs } from "./signing.ts";
import { webhookEndpoints } from "./tables.ts";

/** What deliveries are signed with, for whoever checks them; made when it is asked for first. @throws AppError `forbidden` */
export async function getSecret(ctx: Context, whose: WhoseEndpoint): Promise<SecretView> {
  const owner = requireEndpoint(ctx, whose);
  const find = ctx.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.owner, owner.owner));
  let [row] = await find;
  if (!row) [, [row]] = await ctx.db.batch([firstRow(ctx, owner), find]);
  const [secret] = await openSecrets(ctx, row!);
  return { secret, previous_until: previousUntil(row) };
}

/**
 * Another secret. For a day deliveries are signed with the one before too, so that receivers can take the new one over without
 * losing anything. @throws AppError `forbidden`
 */
export async function rotateSecret(ctx: Context, whose: WhoseEndpoint): Promise<SecretView> {
  const owner = requireEndpoint(ctx, whose);
  const secret = newSecret();
  const sealed = await ctx.vault.seal(secret);
  const now = Date.now();
  const [, [row]] = await ctx.db.batch([
    firstRow(ctx, owner),
    ctx.db
      .update(webhookEndpoints)
      .set({
        sealedPrevious: sql`nullif(${webhookEndpoints.sealedSecret}, '')`,
        overlapUntil: sql`CASE ${webhookEndpoints.sealedSecret} WHEN '' THEN NULL ELSE ${now + overlapMs} END`,
        sealedSecret: sealed,
        updatedAt: now,
      })
      .where(eq(webhookEndpoints.owner, owner.owner))
      .returning({ overlapUntil: webhookEndpoints.overlapUntil }),
    auditRow(ctx, {
      action: "webhook.secret_rotated",
      targetType: "webhook",
      targetId: owner.owner,
      detail: { whose },
    }),
  ]);
  return { secret, previous_until: previousUntil(row) };
}

/** The endpoint's row, where it has none yet: a secret can be had before an address. */
function firstRow(ctx: Context, { owner, userId }: EndpointOwner) {
  const now = Date.now();
  return ctx.db
    .insert(webhookEndpoints)
    .values({
      id: userId === null ? serviceEndpoint : newId(),
      owner,
      userId,
      url: userId === null ? ctx.settings.WEBHOOK_URL : "",
      sealedSecret: "",
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: webhookEndpoints.owner });
}
