import type { ChatResponse, WireMessage } from "../../../src/chat/conversations/schema.ts";
import { emitEvent, type EmitPlace } from "../../../src/chat/events/emit-event.ts";
import type { Person, World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";

/** A stored chat of a question `q` and its answer `a`, with the events that come for the answer. */
export interface EventChat {
  id: string;
  emit(type: string, data: unknown, place?: Partial<EmitPlace>): Promise<void>;
  read(): Promise<ChatResponse>;
  answer(): Promise<WireMessage & Record<string, unknown>>;
}

export async function createEventChat(world: World, person: Person, answer: object = {}): Promise<EventChat> {
  const q = { id: "q", role: "user", content: "Hi" };
  const a = { id: "a", role: "assistant", content: "Hello", parentId: "q", ...answer };
  const { body } = await world.call<ChatResponse>("/api/v1/chats/new", {
    as: person,
    json: { chat: { history: { currentId: "a", messages: { q, a } } } },
  });
  const read = async () => (await world.call<ChatResponse>(`/api/v1/chats/${body.id}`, { as: person })).body;
  return {
    id: body.id,
    emit: (type, data, place) =>
      emitEvent(contextFor(world, person), { chatId: body.id, messageId: "a", ...place }, { type, data }),
    read,
    answer: async () => (await read()).chat.history.messages["a"]!,
  };
}
