import { api } from "../../lib/api.ts";
import { live } from "../../lib/live/live.svelte.ts";
import { stopChat } from "./chats-api.ts";

/** Stops the run of an answer; where this tab knows none, all of its chat. */
export async function stopAnswer(answerId: string, chatId: string | undefined): Promise<void> {
  const run = live.runs.get(answerId);
  if (run) await api("POST", `/api/tasks/stop/${run.run_id}`);
  else if (chatId !== undefined) await stopChat(chatId);
}
