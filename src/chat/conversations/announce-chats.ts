import type { Services } from "../../context.ts";
import type { LiveEvent } from "../../shared/live-protocol.ts";

/** Tells the caller's open tabs after the response that their list of chats has changed. */
export function announceList(ctx: Pick<Services, "live" | "waitUntil" | "log">, userId: string, chatId?: string): void {
  announce(ctx, userId, {
    ...(chatId === undefined ? {} : { chat_id: chatId }),
    data: { type: "chat:list", data: {} },
  });
}

/** Sends an event to the person's open tabs after the response; if it fails, the tabs only miss an update. */
export function announce(ctx: Pick<Services, "live" | "waitUntil" | "log">, userId: string, event: LiveEvent): void {
  const sent = ctx.live.publish(userId, event);
  ctx.waitUntil(
    sent.catch((error: unknown) => ctx.log.warn("could not notify tabs", { type: event.data.type, error })),
  );
}

/** Stops the answers that are being written in deleted chats: in one, in some, or in all of the person's. */
export function stopRunsOf(
  ctx: Pick<Services, "live" | "waitUntil" | "log">,
  userId: string,
  chats?: string | ReadonlySet<string>,
): void {
  const chatId = typeof chats === "string" ? chats : undefined;
  const isMeant = (run: { chatId: string }) => typeof chats !== "object" || chats.has(run.chatId);
  const stop = async () => {
    for (const run of (await ctx.live.listRuns(userId, chatId)).filter(isMeant))
      await ctx.live.stopRun(userId, run.runId);
  };
  ctx.waitUntil(stop().catch((error: unknown) => ctx.log.warn("could not stop runs", { chat_id: chatId, error })));
}
