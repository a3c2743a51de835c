import { type MessagesProvider, startMessagesProvider } from "../../fixtures/upstreams/messages-provider.ts";
import {
  type Script,
  type ScriptedUpstream,
  startScriptedUpstream,
} from "../../fixtures/upstreams/scripted-upstream.ts";
import { type Answer, createWorld, type Person, type RequestOptions, type World } from "../../world.ts";

/** The service in front of one provider that speaks chat completions, and one that speaks the Messages API. */
export interface MessagesWorld extends World {
  upstream: ScriptedUpstream;
  provider: MessagesProvider;
  ada: Person;
  /** As Ada, to `/api/v1/messages`; `max_tokens` and a question are there where they are not given. */
  ask<T = Message>(body: object, options?: RequestOptions): Promise<Answer<T>>;
}

export interface Message {
  type: string;
  id: string;
  model: string;
  content: { type: string; text?: string; thinking?: string; name?: string; id?: string; input?: unknown }[];
  stop_reason: string;
  stop_sequence: string | null;
  usage: Record<string, unknown>;
  error: { type: string; message: string };
  request_id: string;
}

export const nativeKey = "sk-native-0123456789abcdef";
/** As its provider knows it, and as the service's callers do. */
export const upstreamModel = "claude-fake-4-5";
export const nativeModel = `native.${upstreamModel}`;

export async function createMessagesWorld(
  scripts: Record<string, Script>,
  environment: Record<string, string> = {},
): Promise<MessagesWorld> {
  const upstream = await startScriptedUpstream(scripts);
  const provider = await startMessagesProvider(nativeKey, [upstreamModel]);
  const world = await createWorld({ environment: { OPENAI_API_BASE_URLS: upstream.url, ...environment } });
  const connection = { kind: "anthropic", name: "Native", base_url: provider.url, key: nativeKey, prefix_id: "native" };
  await world.call("/api/v1/connections", { as: await world.admin(), json: connection });
  const ada = await world.person({ role: "user" });
  return {
    ...world,
    upstream,
    provider,
    ada,
    ask: (body, options) =>
      world.call("/api/v1/messages", {
        as: ada,
        json: { max_tokens: 100, messages: [{ role: "user", content: "Where is the ferry?" }], ...body },
        ...options,
      }),
    async close() {
      await world.close();
      await upstream.close();
      await provider.close();
    },
  };
}
