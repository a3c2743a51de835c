import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import { mayUseMemories } from "../../memories/require-memories.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import { isStored } from "../events/message-items.ts";
import type { TurnPlace } from "../functions/turn-place.ts";
import { takesServerTools } from "../tools/ask-with-tools.ts";

/** A turn as far as it decides about memories. */
export interface MemoryTurn {
  place: Pick<TurnPlace, "chatId" | "messageId" | "task">;
  isWatched?: boolean;
}

/** What a turn does with the person's memories. */
export interface WantedMemories {
  /** The model gets those that fit. */
  given: boolean;
  /** The model may add some. */
  added: boolean;
}

const none: WantedMemories = { given: false, added: false };

/**
 * What the turn does with memories, known without a round trip. Turns of the web page in stored chats use them where the
 * person has not switched them off; API calls ask for them with `features: {memory: true}`, as Open WebUI's clients do.
 * Never in channels, where others read the answer.
 * @param body the request as the person sent it: no filter can ask in their place
 */
export function wantedMemories(
  ctx: Context,
  model: ResolvedModel,
  body: Record<string, unknown>,
  { place, isWatched = false }: MemoryTurn,
): WantedMemories {
  const { actor } = ctx;
  if (actor.kind !== "user" || !actor.memory.isOn || !mayUseMemories(ctx, actor)) return none;
  const { features } = body;
  const asked = isRecord(features) ? features["memory"] : undefined;
  const isInChat = isStored(place.chatId) && place.messageId !== undefined;
  const isWanted = typeof asked === "boolean" ? asked : isWatched && isInChat;
  const isElsewhere = place.task !== undefined || place.chatId?.startsWith("channel:") === true;
  if (!isWanted || isElsewhere || isGuide(model) || !takesMemories(model)) return none;
  return {
    given: actor.memory.count > 0,
    // What is added is shown in the answer, and an answer that is not kept shows nothing.
    added: actor.memory.mayAdd && isInChat && takesServerTools(body) && !(Number(body["n"]) > 1),
  };
}

/** The guide answers while no model is connected, and asks nobody. */
function isGuide(model: ResolvedModel): boolean {
  return model.kind === "function" && !model.pipe;
}

/** Administrators exclude a model with `meta.capabilities.memory`, as in Open WebUI. */
function takesMemories({ metas }: ResolvedModel): boolean {
  return !metas.some(({ capabilities }) => isRecord(capabilities) && capabilities["memory"] === false);
}
