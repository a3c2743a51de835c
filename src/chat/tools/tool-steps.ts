import type { Context } from "../../context.ts";
import { newId } from "../../lib/id.ts";
import type { EmitPlace } from "../events/emit-event.ts";
import { isStored, putMessageItem } from "../events/message-items.ts";
import type { ToolSteps } from "./turn.ts";

/** The key of full results in object storage; a trigger on `message_items` uses the same key. */
export function resultKey(chatId: string, fileId: string): string {
  return `tool-results/${chatId}/${fileId}`;
}

/** The address of a full result for clients. */
export function resultUrl(chatId: string, messageId: string, callId: string): string {
  return `/api/v1/chats/${[chatId, "messages", messageId, "tools", callId].map(encodeURIComponent).join("/")}`;
}

/**
 * Stores the tool calls of an answer in its message, and shows them in the person's tabs. Undefined if there is no
 * message.
 */
export function createToolSteps(ctx: Context, place: EmitPlace): ToolSteps | undefined {
  const { chatId, messageId, runId } = place;
  if (chatId === undefined || messageId === undefined) return undefined;
  return {
    async put(item) {
      try {
        // A tool may write into the message from elsewhere: behind what was said before it was called.
        if (item.state === "running") await place.text?.settle();
        await putMessageItem(ctx, { chatId, messageId, runId }, "tool", item.call_id, item);
      } catch (error) {
        // The message may be deleted meanwhile: nobody asks for its results then.
        ctx.log.warn("could not store a tool call", { chat_id: chatId, error });
        if (item.file) await ctx.blobs.delete([resultKey(chatId, item.file.id)]).catch(() => undefined);
      }
    },
    async keep(callId, name, text) {
      if (!isStored(chatId)) return undefined;
      const bytes = new TextEncoder().encode(text);
      const id = newId();
      try {
        await ctx.blobs.put(resultKey(chatId, id), bytes);
      } catch (error) {
        ctx.log.error("could not store a tool result", { chat_id: chatId, error });
        return undefined;
      }
      const file = { id, name: `${name}.txt`, content_type: "text/plain", size: bytes.length };
      return { ...file, url: resultUrl(chatId, messageId, callId) };
    },
  };
}
