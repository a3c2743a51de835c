/** What has a period after which it is removed. */
export const retentionKinds = ["chats", "files", "channel_messages", "logs"] as const;
export type RetentionKind = (typeof retentionKinds)[number];

/** The setting with the period of each kind, for organizations without one of their own. */
export const settingOfKind = {
  chats: "RETENTION_CHATS",
  files: "RETENTION_FILES",
  channel_messages: "RETENTION_CHANNEL_MESSAGES",
  logs: "RETENTION_LOGS",
} as const satisfies Record<RetentionKind, string>;
