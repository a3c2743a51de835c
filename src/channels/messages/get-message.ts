import type { Context } from "../../context.ts";
import { requireChannels } from "../find-channel.ts";
import type { ChannelMessage } from "../schema.ts";
import { findMessage } from "./find-message.ts";
import { messageView } from "./message-view.ts";

/** @throws AppError `not_found` for a message that does not exist or was deleted, `forbidden` */
export async function getMessage(ctx: Context, channelId: string, id: string): Promise<ChannelMessage> {
  return messageView(await findMessage(ctx, channelId, id), requireChannels(ctx).id);
}

/**
 * The stored data of a message, and its files in Open WebUI's format.
 * @throws AppError `not_found`, `forbidden`
 */
export async function getMessageData(ctx: Context, channelId: string, id: string) {
  const row = await findMessage(ctx, channelId, id);
  const files = messageView(row, null).files.map((file) => ({ ...file, type: "file" as const }));
  return { ...(JSON.parse(row.data) as Record<string, unknown>), files };
}
