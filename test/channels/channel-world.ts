import { sql } from "drizzle-orm";
import type { ChannelView } from "../../src/channels/schema.ts";
import { newId } from "../../src/lib/id.ts";
import { type BaseWorld, createBaseWorld } from "../documents/knowledge/base-world.ts";
import type { Answer, Person, WorldOptions } from "../world.ts";

export const channelsPath = "/api/v1/channels";

export interface ChannelWorld extends BaseWorld {
  /** A public channel of the person, unless the values say otherwise. */
  channel(owner: Person, values?: Record<string, unknown>): Promise<ChannelView>;
  view(as: Person, id: string): Promise<ChannelView>;
  /** Asks for something under the channel, as a POST with a body. */
  post<T = { detail: string }>(as: Person, path: string, json?: unknown): Promise<Answer<T>>;
  /** Messages as if they had been posted, by nobody in particular unless a sender is named; their ids. */
  say(channelId: string, count: number, sender?: string): Promise<string[]>;
}

export async function createChannelWorld(options: WorldOptions = {}): Promise<ChannelWorld> {
  const base = await createBaseWorld(options);
  const world: ChannelWorld = {
    ...base,
    async channel(owner, values = {}) {
      const json = { name: `c${newId()}`, is_private: false, ...values };
      const { status, body } = await base.call<ChannelView>(`${channelsPath}/create`, { as: owner, json });
      if (status !== 200) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    view: async (as, id) => (await base.call<ChannelView>(`${channelsPath}/${id}`, { as })).body,
    post: (as, path, json) =>
      base.call(`${channelsPath}/${path}`, json === undefined ? { as, method: "POST" } : { as, json }),
    async say(channelId, count, sender = "webhook:somebody") {
      const ids = Array.from({ length: count }, () => newId());
      const now = Date.now();
      await base.db.batch([
        base.db.run(sql`INSERT INTO channel_messages (id, channel_id, seq, content, sender, created_at, updated_at)
          SELECT value, ${channelId}, (SELECT head FROM channels WHERE id = ${channelId}) + key + 1, 'Ahoy', ${sender}, ${now}, ${now}
          FROM json_each(${JSON.stringify(ids)})`),
        base.db.run(sql`UPDATE channels SET head = head + ${count}, last_message_at = ${now} WHERE id = ${channelId}`),
      ]);
      return ids;
    },
  };
  return world;
}
