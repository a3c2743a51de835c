import type { ChannelView } from "../../../channels/schema.ts";
import { locale } from "../../lib/language.ts";
import { texts } from "./texts.ts";

const byName = new Intl.Collator(locale, { numeric: true, sensitivity: "base" });

/** Channels by name, then conversations with people, the latest first. Groups that hold nothing are left out. Pure. */
export function groupChannels(channels: readonly ChannelView[]): { label: string; channels: ChannelView[] }[] {
  const named = channels.filter(({ type }) => type !== "dm").toSorted((a, b) => byName.compare(a.name, b.name));
  const direct = channels
    .filter(({ type }) => type === "dm")
    .toSorted((a, b) => (b.last_message_at ?? b.created_at) - (a.last_message_at ?? a.created_at));
  return [
    { label: texts.channels, channels: named },
    { label: texts.direct, channels: direct },
  ].filter((group) => group.channels.length > 0);
}
