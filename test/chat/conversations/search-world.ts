import { expect } from "vitest";
import type { ChatResponse, FoundChat } from "../../../src/chat/conversations/schema.ts";
import { createWorld, type Person, type World } from "../../world.ts";

export interface SearchWorld {
  world: World;
  /** @returns another person, whose chats are stored and searched from then on */
  begin(): Promise<Person>;
  /** A chat with messages of both sides in turn. @returns its id */
  store(title: string, ...texts: string[]): Promise<string>;
  search(text: string, as?: Person, page?: number): Promise<FoundChat[]>;
  titles(text: string, as?: Person): Promise<string[]>;
}

export async function createSearchWorld(): Promise<SearchWorld> {
  const world = await createWorld();
  let ada: Person;
  const here: SearchWorld = {
    world,
    begin: async () => (ada = await world.person()),
    async store(title, ...texts) {
      const messages = texts.map((content, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content }));
      const { body } = await world.call<ChatResponse>("/api/v1/chats/new", {
        as: ada,
        json: { chat: { title, messages } },
      });
      return body.id;
    },
    async search(text, as = ada, page = 1) {
      const query = new URLSearchParams({ text, page: String(page) });
      const { status, body } = await world.call<FoundChat[]>(`/api/v1/chats/search?${query}`, { as });
      expect(status).toBe(200);
      return body;
    },
    titles: async (text, as) => (await here.search(text, as)).map((chat) => chat.title),
  };
  return here;
}
