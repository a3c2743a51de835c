import type { Services } from "../context.ts";
import type { ChannelEvent } from "./schema.ts";

/** The data of a channel that its object needs to notify people. */
export interface ToldChannel {
  id: string;
  organizationId: string;
  /** As read in, or after, the transaction that the event is about. */
  membersVersion: number;
}

/** Notifies every open tab of the channel's members; never fails the caller, who need not wait. */
export function tellChannel(
  services: Pick<Services, "channels" | "waitUntil">,
  channel: ToldChannel,
  event: ChannelEvent,
): void {
  services.waitUntil(services.channels.tell(channel, event));
}
