import type { ChannelView } from "../../../channels/schema.ts";
import type { IconName } from "../../components/icons.ts";
import { locale } from "../../lib/language.ts";
import { texts } from "./texts.ts";

const list = new Intl.ListFormat(locale, { type: "conjunction", style: "narrow" });

/** What a channel is called: its name, or the people of a direct conversation. */
export function nameOf(channel: Pick<ChannelView, "name" | "type" | "users">): string {
  if (channel.type !== "dm") return channel.name || texts.untitled;
  const names = (channel.users ?? []).map(({ name }) => name);
  return names.length > 0 ? list.format(names) : texts.untitled;
}

/** As it is spoken of in a sentence: `# releases`. */
export function spokenName(channel: Pick<ChannelView, "name" | "type" | "users">): string {
  return channel.type === "dm" ? nameOf(channel) : `#${nameOf(channel)}`;
}

/** What stands before the name. */
export function iconOf(channel: Pick<ChannelView, "type" | "users">): IconName {
  if (channel.type === "dm") return (channel.users?.length ?? 0) > 1 ? "people" : "user";
  return channel.type === "group" ? "lock" : "hash";
}
