import { consoleLog } from "../src/lib/log.ts";
import type { ChannelHubs } from "../src/ports.ts";
import type { Env } from "./env.ts";

/** The channels' objects behind the port that verbs know. */
export function createChannelHubs(env: Pick<Env, "CHANNEL_HUB">): ChannelHubs {
  return {
    async tell(channel, event) {
      try {
        await env.CHANNEL_HUB.getByName(channel.id).tell(channel, event);
      } catch (error) {
        consoleLog.warn("a channel was not told", { channel: channel.id, type: event.type, error });
      }
    },
  };
}
