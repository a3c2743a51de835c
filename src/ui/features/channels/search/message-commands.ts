import type { Command } from "../../../lib/commands.svelte.ts";
import { router } from "../../../lib/router.svelte.ts";
import { nameOf } from "../channel-name.ts";
import { channelsApi } from "../channels-api.ts";
import { messageAddress } from "../messages/message-actions.svelte.ts";
import { plainText } from "../messages/plain-text.ts";

/** What was said in any channel that the person reads, for the palette. */
export async function messageCommands(query: string, signal: AbortSignal): Promise<Command[]> {
  const { messages } = await channelsApi.search({ q: query, limit: 6 }, signal);
  return messages.map((message) => ({
    id: message.id,
    title: `${message.user.name}: ${plainText(message.snippet)}`,
    note: nameOf({ ...message.channel, users: [] }),
    icon: "chat",
    run: () => void router.navigate(messageAddress(message)),
  }));
}
