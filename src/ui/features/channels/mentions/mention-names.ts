import type { MentionNames } from "../../../lib/markdown/name-mentions.ts";
import { session } from "../../../lib/session.svelte.ts";
import { models } from "../../chat/models.svelte.ts";
import { channelList } from "../channel-list.svelte.ts";

/** What this page knows of those whom messages name; of others stands what the message says. */
export const mentionNames: MentionNames = {
  nameOf(kind, id) {
    if (kind === "channel") return channelList.find(id)?.name || undefined;
    if (kind === "model") return models.find(id)?.name || undefined;
    return session.person?.id === id ? session.person.name : undefined;
  },
  addressOf: (kind, id) => (kind === "channel" ? `/channels/${encodeURIComponent(id)}` : undefined),
  isSelf: (kind, id) => kind === "user" && session.person?.id === id,
};
