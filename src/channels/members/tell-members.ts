import type { Context } from "../../context.ts";
import { tellChannel, type ToldChannel } from "../tell-channel.ts";

/** So many people are told one by one; for more of them the whole channel is. */
const maxToldSingly = 50;
/** People who have left that are told at the same time. */
const toldAtOnce = 20;

/** Tells everybody in the channel that its members have changed, and those named that it has become another one for them. */
export function tellMembers(ctx: Context, channel: ToldChannel, changedFor: readonly string[]): void {
  const isForAll = changedFor.length > maxToldSingly;
  tellChannel(ctx, channel, { type: isForAll ? "channel:changed" : "channel:members", data: {} });
  if (!isForAll) ctx.waitUntil(tellEach(ctx, channel.id, changedFor, "channel:changed"));
}

/** Tells people who are no longer in the channel. */
export function tellLeft(ctx: Context, channelId: string, userIds: readonly string[]): void {
  ctx.waitUntil(tellEach(ctx, channelId, userIds, "channel:left"));
}

async function tellEach(
  ctx: Context,
  channelId: string,
  userIds: readonly string[],
  type: "channel:changed" | "channel:left",
): Promise<void> {
  for (let at = 0; at < userIds.length; at += toldAtOnce)
    await Promise.all(
      userIds
        .slice(at, at + toldAtOnce)
        .map((id) => ctx.live.publish(id, { channel_id: channelId, data: { type, data: {} } })),
    );
}
