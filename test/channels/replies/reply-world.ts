import { vi } from "vitest";
import type { ChannelMessage, ChannelView } from "../../../src/channels/schema.ts";
import { runJobs } from "../../../src/jobs/run-jobs.ts";
import {
  type Script,
  type ScriptedUpstream,
  startScriptedUpstream,
} from "../../fixtures/upstreams/scripted-upstream.ts";
import type { Person } from "../../world.ts";
import { channelsPath, type ChannelWorld, createChannelWorld } from "../channel-world.ts";

/** Channels in front of one provider whose models say what a test wants of them. */
export interface ReplyWorld extends ChannelWorld {
  upstream: ScriptedUpstream;
  /** Posts a text. */
  tell(as: Person, channel: ChannelView, content: string, values?: Record<string, unknown>): Promise<ChannelMessage>;
  /** What stands below a message, oldest first. */
  thread(as: Person, message: ChannelMessage): Promise<ChannelMessage[]>;
  message(as: Person, message: Pick<ChannelMessage, "id" | "channel_id">): Promise<ChannelMessage>;
  /** Has the models answer until nothing is due. */
  answer(): Promise<void>;
  /** Posts, has the models answer, and gives their answers. */
  ask(as: Person, channel: ChannelView, content: string, values?: Record<string, unknown>): Promise<ChannelMessage[]>;
  /** Has the models answer beside the test; resolves when the first words of the message are stored. */
  begin(as: Person, message: ChannelMessage): Promise<{ ended: Promise<void> }>;
}

/** For what takes as long as it takes. */
export const patience = { timeout: 30_000, interval: 20 };

/** A model named in a text. */
export const at = (id: string): string => `<@M:${id}|${id}>`;

export async function createReplyWorld(
  scripts: Record<string, Script>,
  environment: Record<string, string> = {},
): Promise<ReplyWorld> {
  const upstream = await startScriptedUpstream(scripts);
  const base = await createChannelWorld({ environment: { OPENAI_API_BASE_URLS: upstream.url, ...environment } });
  const read = async <T>(as: Person, path: string): Promise<T> => {
    const { status, body } = await base.call<T>(`${channelsPath}/${path}`, { as });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const world: ReplyWorld = {
    ...base,
    upstream,
    async tell(as, { id }, content, values = {}) {
      const { status, body } = await base.post<ChannelMessage>(as, `${id}/messages/post`, { content, ...values });
      if (status !== 200) throw new Error(`the post answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    thread: async (as, { id, channel_id: channelId }) =>
      (await read<ChannelMessage[]>(as, `${channelId}/messages/${id}/thread?limit=100`))
        .filter((message) => message.parent_id === id)
        .toReversed(),
    message: (as, { id, channel_id: channelId }) => read<ChannelMessage>(as, `${channelId}/messages/${id}`),
    async answer() {
      await runJobs(base.services, "reply");
      await base.settled();
    },
    async ask(as, channel, content, values) {
      const question = await world.tell(as, channel, content, values);
      await world.answer();
      const head = question.parent_id ?? question.id;
      const answers = await world.thread(as, { ...question, id: head });
      return answers.filter(({ user, seq }) => user.role === "assistant" && seq > question.seq);
    },
    async begin(as, message) {
      const ended = runJobs(base.services, "reply");
      await vi.waitUntil(async () => (await world.message(as, message)).content !== "", patience);
      return { ended };
    },
    async close() {
      await upstream.close().catch(() => undefined);
      await base.close();
    },
  };
  return world;
}
