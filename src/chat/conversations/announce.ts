import type { Context } from "../../context.ts";
import type { LiveEvent } from "../../shared/live-protocol.ts";

/** Tells the caller's open tabs that their list of chats is another now, after the answer. */
export function announceList(ctx: Context, userId: string, chatId?: string): void {
  announce(ctx, userId, {
    ...(chatId === undefined ? {} : { chat_id: chatId }),
    data: { type: "chat:list", data: {} },
  });
}

/** Sends an event to the person's open tabs after the answer; a failure costs the tabs a refresh, not the caller. */
export function announce(ctx: Context, userId: string, event: LiveEvent): void {
  const sent = ctx.live.publish(userId, event);
  ctx.waitUntil(sent.catch((error: unknown) => ctx.log.warn("tabs were not told", { type: event.data.type, error })));
}

/** Ends the answers that are being written in chats that are gone. */
export function stopRunsOf(ctx: Context, userId: string, chatId?: string): void {
  const stop = async () => {
    for (const run of await ctx.live.listRuns(userId, chatId)) await ctx.live.stopRun(userId, run.runId);
  };
  ctx.waitUntil(stop().catch((error: unknown) => ctx.log.warn("runs were not stopped", { chat_id: chatId, error })));
}
