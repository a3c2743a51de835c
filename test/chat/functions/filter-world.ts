import { afterAll, beforeAll, beforeEach } from "vitest";
import { AnswerText } from "../../../src/chat/answer-text.ts";
import type { ChatResponse, WireMessage } from "../../../src/chat/conversations/schema.ts";
import { runTurn, type TurnEnd } from "../../../src/chat/run-turn.ts";
import { newId } from "../../../src/lib/id.ts";
import type { RunStart } from "../../../src/ports.ts";
import type { LiveEvent } from "../../../src/shared/live-protocol.ts";
import { providers } from "../../fixtures/upstreams/providers.ts";
import { type RecordedRequest, type ReplayServer, startReplayServer } from "../../fixtures/upstreams/replay-server.ts";
import { type Answer, createWorld, type Person, type World } from "../../world.ts";

/** What the upstream answers to everything, whole and streamed. */
export const answered = providers["openai"]!.content;
export const question = [{ role: "user", content: "What is the capital of France?" }];

export interface Completion {
  choices: { message: { content: string } }[];
  error: { message: string; code: string };
}

export interface FilterWorld {
  world: World;
  upstream: ReplayServer;
  ada: Person;
  /** A completion for Ada. */
  ask<T = Completion>(more?: object, path?: string): Promise<Answer<T>>;
  /** Completions that the upstream was asked for. */
  asked(): RecordedRequest[];
  newChat(): Promise<string>;
  /** The branch that is shown, from its first message on. */
  shown(chatId: string): Promise<WireMessage[]>;
  /** A turn in the background, to its end. */
  turn(more?: object, abort?: AbortController): Promise<{ start: RunStart; end: TurnEnd; streamed: string }>;
  /** Events of a type that Ada's tabs were told. */
  published(type: string): LiveEvent[];
}

/** A world with an upstream that is new for each test, so that each has functions of its own. */
export function useFilterWorld(): FilterWorld {
  const here = {
    ask: <T = Completion>(more: object = {}, path = "/api/chat/completions") =>
      here.world.call<T>(path, { as: here.ada, json: { model: "openai", messages: question, ...more } }),
    asked: () => here.upstream.requests.filter(({ path }) => path.endsWith("/chat/completions")),
    async newChat() {
      const json = { chat: { title: "T" } };
      return (await here.world.call<{ id: string }>("/api/v1/chats/new", { as: here.ada, json })).body.id;
    },
    async shown(chatId) {
      const { body } = await here.world.call<ChatResponse>(`/api/v1/chats/${chatId}`, { as: here.ada });
      const { messages, currentId } = body.chat.history;
      const path: WireMessage[] = [];
      for (let at = currentId ?? null; at; at = messages[at]!.parentId) path.unshift(messages[at]!);
      return path;
    },
    async turn(more = {}, abort = new AbortController()) {
      const { world, ada } = here;
      const asking = { session_id: "s", id: newId(), parent_id: null };
      await world.call("/api/chat/completions", {
        as: ada,
        json: { model: "openai", ...asking, user_message: { id: newId(), content: question[0]!.content }, ...more },
      });
      const start = world.live.runs.at(-1)!;
      let streamed = "";
      const text = new AnswerText(start.continueFrom, {
        delta: ({ content }) => void (streamed += content),
        replaced: () => undefined,
      });
      let end: TurnEnd | undefined;
      await runTurn(world.services, start, text, { ended: (ended) => void (end = ended) }, abort);
      await world.settled();
      return { start, end: end!, streamed };
    },
    published: (type) =>
      here.world.live.published.filter(({ event }) => event.data.type === type).map(({ event }) => event),
  } as FilterWorld;

  beforeAll(async () => {
    here.upstream = await startReplayServer();
    here.upstream.models = [...Object.keys(providers), "fault-429"];
  });
  afterAll(() => here.upstream.close());
  beforeEach(async () => {
    here.upstream.requests.length = 0;
    here.world = await createWorld({ environment: { OPENAI_API_BASE_URLS: here.upstream.url } });
    here.ada = await here.world.person();
    return () => here.world.close();
  });
  return here;
}
