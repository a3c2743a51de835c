import { DurableObject } from "cloudflare:workers";
import { ChannelFanOut } from "../../src/channels/live/channel-fan-out.ts";
import type { ChannelNews } from "../../src/channels/live/channel-news.ts";
import { loadMembers } from "../../src/channels/live/load-members.ts";
import type { MemberOutboxOptions } from "../../src/channels/live/member-outbox.ts";
import type { ChannelEvent } from "../../src/channels/schema.ts";
import type { ToldChannel } from "../../src/channels/tell-channel.ts";
import type { Env } from "../env.ts";
import { servicesOf } from "../services.ts";
import { linkHeader, OutgoingLink, type LinkTarget } from "./outgoing-link.ts";

/** The object of one channel: gives `ChannelFanOut` its connections to the directory and to the members' sessions. */
export class ChannelHub extends DurableObject<Env> {
  readonly #fanOut: ChannelFanOut;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
    this.#fanOut = new ChannelFanOut({
      loadMembers: (channelId) => loadMembers(servicesOf(env, waitUntil), channelId),
      directory: () => env.OPEN_DIRECTORY.getByName("directory"),
      reach: (userId, organizationId) => reachSession(env, { userId, organizationId }),
      waitUntil,
    });
  }

  /** Resolves when everyone was notified, or after a time limit. */
  tell(channel: ToldChannel, event: ChannelEvent): Promise<void> {
    return this.#fanOut.tell(channel, event);
  }
}

/** Calls for occasional events, a link during busy periods. */
function reachSession(env: Env, target: LinkTarget): MemberOutboxOptions {
  const sessions = env.SESSION_COORDINATOR;
  let session = sessions.getByName(target.userId);
  return {
    async call(news) {
      try {
        await session.hear({ ...target, ...news } satisfies ChannelNews);
      } catch (error) {
        // A stub that has failed cannot be used again.
        session = sessions.getByName(target.userId);
        throw error;
      }
    },
    async connect(onLost) {
      const headers = { upgrade: "websocket", [linkHeader]: JSON.stringify(target) };
      const { webSocket } = await session.fetch("https://session.internal/", { headers });
      if (!webSocket) throw new Error("the object of a person does not accept links");
      return new OutgoingLink(webSocket, onLost);
    },
  };
}
