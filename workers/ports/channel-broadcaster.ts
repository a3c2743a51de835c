import { consoleLog } from "../../src/lib/log.ts";
import type { ChannelBroadcaster } from "../../src/ports.ts";
import type { Env } from "../env.ts";

/** Milliseconds before each further attempt, where a channel's object has just gone. */
const retryDelaysMs = [50, 500];

/** The channels' objects behind the port that verbs know. */
export function createChannelBroadcaster(env: Pick<Env, "CHANNEL_HUB">): ChannelBroadcaster {
  return {
    async tell(channel, event) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await env.CHANNEL_HUB.getByName(channel.id).tell(channel, event);
        } catch (error) {
          const wait = retryDelaysMs[attempt];
          if (wait === undefined)
            return consoleLog.warn("could not notify a channel", { channel: channel.id, type: event.type, error });
          // Tabs that have heard it already know it by its number.
          await new Promise((resolve) => setTimeout(resolve, wait));
        }
      }
    },
  };
}
