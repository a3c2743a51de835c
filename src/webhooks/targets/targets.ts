import { eq } from "drizzle-orm";
import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { changeEndpoint } from "../endpoints.ts";
import { sendTest } from "../send-test.ts";
import { webhookEndpoints } from "../tables.ts";
import { targetEvents, type Target, type TargetChange } from "./schema.ts";

/** The caller's webhook as the peer's clients know targets: none or one. @throws AppError as `requireOpen` */
export async function listTargets(ctx: Context): Promise<Target[]> {
  const target = await findTarget(ctx);
  return target ? [target] : [];
}

/** What a target can hear of. @throws AppError as `requireOpen` */
export function listTargetEvents(ctx: Context) {
  requireOpen(ctx);
  return targetEvents.map((event) => ({
    event,
    label: "Finished answer",
    description: "An answer in a chat is finished",
  }));
}

/**
 * Makes the caller's webhook.
 * @throws AppError `bad_request` for an address that may not be called, for other events, and where there is one already
 */
export async function addTarget(ctx: Context, given: TargetChange): Promise<Target> {
  requireOpen(ctx);
  checkEvents(given);
  const url = given.config?.url ?? "";
  if (url === "") throw new AppError("bad_request", "config.url: an address is required", { param: "config.url" });
  if (await findTarget(ctx))
    throw new AppError("bad_request", "You already have a target, and each person can have only one: change that one");
  await change(ctx, { url, is_enabled: given.enabled ?? true, is_always: given.delivery === "always" });
  return (await findTarget(ctx))!;
}

/** @throws AppError `not_found`; `bad_request` as `addTarget` */
export async function changeTarget(ctx: Context, id: string, given: TargetChange): Promise<Target> {
  await getTarget(ctx, id);
  checkEvents(given);
  const url = given.config?.url;
  await change(ctx, {
    ...(url === undefined || url.includes("...") ? {} : { url }),
    ...(given.enabled === undefined ? {} : { is_enabled: given.enabled }),
    ...(given.delivery === undefined ? {} : { is_always: given.delivery === "always" }),
  });
  return getTarget(ctx, id);
}

/** Takes the address away; what was sent stays in the log. @throws AppError `not_found` */
export async function removeTarget(ctx: Context, id: string): Promise<void> {
  await getTarget(ctx, id);
  await changeEndpoint(ctx, "own", { url: "" });
}

/** @throws AppError `not_found`; `bad_request` that says how the test went, where it was not taken */
export async function testTarget(ctx: Context, id: string): Promise<void> {
  await getTarget(ctx, id);
  const { state, last_status: status, last_error: error } = await sendTest(ctx, "own");
  if (state !== "delivered")
    throw new AppError("bad_request", `The test was not accepted: ${error ?? `the response was ${status}`}`);
}

/** The one there is. @throws AppError `not_found` */
export async function getTarget(ctx: Context, id: string): Promise<Target> {
  const target = await findTarget(ctx);
  if (target?.id !== id) throw new AppError("not_found", "No such target");
  return target;
}

async function findTarget(ctx: Context): Promise<Target | undefined> {
  const user = requireOpen(ctx);
  const [row] = await ctx.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.owner, user.id));
  if (!row || row.url === "") return undefined;
  return {
    id: row.id,
    type: "webhook",
    enabled: row.isEnabled,
    events: [...targetEvents],
    delivery: row.isAlways ? "always" : "away",
    config: { url_masked: masked(row.url) },
    is_default: true,
    created_at: Math.floor(row.createdAt / 1000),
    updated_at: Math.floor(row.updatedAt / 1000),
  };
}

/** @throws AppError `not_found` while webhooks of people are switched off, as at the peer; `forbidden` */
function requireOpen(ctx: Context) {
  if (!ctx.settings.ENABLE_USER_WEBHOOKS) throw new AppError("not_found", "User webhooks are switched off");
  return requirePermission(ctx, "features.webhooks");
}

/** The peer answers 400 to whatever is wrong with a target. */
async function change(ctx: Context, values: Parameters<typeof changeEndpoint>[2]): Promise<void> {
  try {
    await changeEndpoint(ctx, "own", values);
  } catch (error) {
    if (error instanceof AppError && error.code === "validation_failed")
      throw new AppError("bad_request", error.message, { param: "config.url" });
    throw error;
  }
}

function checkEvents({ events = [] }: TargetChange): void {
  const known: readonly string[] = targetEvents;
  const unknown = events.find((event) => !known.includes(event));
  if (unknown !== undefined && !events.some((event) => known.includes(event)))
    throw new AppError("bad_request", `events: the only supported events are ${known.join(", ")}`, { param: "events" });
}

/** Paths and queries hold secrets of receivers. */
function masked(url: string): string {
  return `${new URL(url).origin}/...`;
}
