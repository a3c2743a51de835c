import { DurableObject } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import type { ChannelEvent } from "../src/channels/schema.ts";
import { channelMembers } from "../src/channels/tables.ts";
import type { ToldChannel } from "../src/channels/tell-channel.ts";
import type { Env } from "./env.ts";
import { createServices } from "./services.ts";

/** One channel: knows its members, and hands what happens to the sessions of those who have something open. */
export class ChannelHub extends DurableObject<Env> {
  #members: { version: number; ids: string[] } | undefined;

  async tell(channel: ToldChannel, event: ChannelEvent): Promise<void> {
    const services = createServices(this.env, (work) => this.ctx.waitUntil(work));
    if (this.#members?.version !== channel.membersVersion) {
      const rows = await services.db
        .select({ id: channelMembers.userId })
        .from(channelMembers)
        .where(eq(channelMembers.channelId, channel.id));
      this.#members = { version: channel.membersVersion, ids: rows.map((row) => row.id) };
    }
    const open = await this.env.OPEN_DIRECTORY.getByName("directory").among(this.#members.ids);
    await Promise.all(open.map((id) => services.live.publish(id, { channel_id: channel.id, data: event })));
  }
}
