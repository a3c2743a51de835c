/** What has happened in a channel, for one person's tabs. */
export interface ChannelNews {
  userId: string;
  organizationId: string;
  /** Each the JSON of a `LiveEvent`, in order. */
  events: readonly string[];
  /** False where some events were left out: tabs have to load again. */
  isWhole: boolean;
}

/** The same for everybody; `text` is the lines of all events. */
export interface Broadcast extends Pick<ChannelNews, "events" | "isWhole"> {
  text: string;
}

/** What a link sends in place of events that were left out. */
export const missing = "";
