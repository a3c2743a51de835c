import type { ChannelEvent, ChannelMessage, ChannelView } from "../../../src/channels/schema.ts";
import type { Answer, Person } from "../../world.ts";
import { channelsPath, type ChannelWorld, createChannelWorld } from "../channel-world.ts";

/** A message, or why there is none. */
export type Said = ChannelMessage & { detail: string };

/** A world with a channel, new for each test, in which two people speak. */
export interface Talk {
  world: ChannelWorld;
  ada: Person;
  grace: Person;
  channel: ChannelView;
  path: string;
  post(as: Person, json: unknown, headers?: Record<string, string>): Promise<Answer<Said>>;
  say(as: Person, content: string, more?: object): Promise<Said>;
  get<T = Said>(as: Person, at: string): Promise<Answer<T>>;
  change<T = Said>(as: Person, at: string, json: unknown): Promise<Answer<T>>;
  remove(as: Person, id: string): Promise<Answer<Record<string, unknown>>>;
  /** What the channel was told of messages since the test began. */
  told(): Promise<ChannelEvent[]>;
}

export async function createTalk(): Promise<{ begin(values?: object): Promise<Talk>; close(): Promise<void> }> {
  const world = await createChannelWorld();
  return {
    close: () => world.close(),
    async begin(values = {}) {
      const [ada, grace] = await Promise.all([world.person(), world.person({ name: "Grace H" })]);
      const channel = await world.channel(ada, { ...values });
      const path = `${channelsPath}/${channel.id}`;
      await world.settled();
      world.told.length = 0;
      const post: Talk["post"] = (as, json, headers = {}) => world.call(`${path}/messages/post`, { as, json, headers });
      return {
        world,
        ada,
        grace,
        channel,
        path,
        post,
        say: async (as, content, more = {}) => (await post(as, { content, ...more })).body,
        get: (as, at) => world.call(`${path}/${at}`, { as }),
        change: (as, at, json) => world.call(`${path}/messages/${at}`, { as, json }),
        remove: (as, id) => world.call(`${path}/messages/${id}/delete`, { as, method: "DELETE" }),
        async told() {
          await world.settled();
          return world.told.map(({ event }) => event).filter((event) => event.type.startsWith("channel:message"));
        },
      };
    },
  };
}

export const contents = (messages: ChannelMessage[]) => messages.map((message) => message.content);
