/** Events of a channel for one person's tabs. */
export interface ChannelNews {
  userId: string;
  organizationId: string;
  /** Each the JSON of a `LiveEvent`, in order. */
  events: readonly string[];
  /** False if some were dropped: tabs have to reload. */
  isWhole: boolean;
}

/** The same for everyone; `text` is the lines of all events. */
export interface Broadcast extends Pick<ChannelNews, "events" | "isWhole"> {
  text: string;
}

/** Sent over a link instead of dropped events. */
export const missing = "";
