import { channelMessageKind } from "./channels/channel-message.ts";
import { channelWebhookKind } from "./channels/channel-webhook.ts";
import { channelKind, channelReadingKind } from "./channels/channel.ts";
import { chatShareKind } from "./chats/chat-share.ts";
import { chatKind, chatMessagesKind } from "./chats/chat.ts";
import { feedbackKind } from "./chats/feedback.ts";
import { folderKind } from "./chats/folder.ts";
import { memoryKind } from "./chats/memory.ts";
import { directoryKind, knowledgeFileKind, knowledgeKind } from "./documents/knowledge.ts";
import type { Kind } from "./kind.ts";
import { apiKeyKind } from "./people/api-key.ts";
import { groupKind } from "./people/group.ts";
import { organizationKind } from "./people/organization.ts";
import { personKind } from "./people/person.ts";
import { connectionKind } from "./workspace/connection.ts";
import { modelKind } from "./workspace/model.ts";
import { functionKind, toolKind } from "./workspace/plugin.ts";
import { promptKind } from "./workspace/prompt.ts";
import { settingKind } from "./workspace/setting.ts";
import { userValvesKind } from "./workspace/user-valves.ts";

/** All kinds of records by their names, in the order in which they are imported: each refers only to those before it. */
export const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["organization", organizationKind],
  ["person", personKind],
  ["group", groupKind],
  ["api_key", apiKeyKind],
  ["function", functionKind],
  ["tool", toolKind],
  ["user_valves", userValvesKind],
  ["model", modelKind],
  ["prompt", promptKind],
  ["connection", connectionKind],
  ["setting", settingKind],
  ["knowledge", knowledgeKind],
  ["knowledge_directory", directoryKind],
  ["knowledge_file", knowledgeFileKind],
  ["folder", folderKind],
  ["chat", chatKind],
  ["chat_messages", chatMessagesKind],
  ["chat_share", chatShareKind],
  ["feedback", feedbackKind],
  ["memory", memoryKind],
  ["channel", channelKind],
  ["channel_webhook", channelWebhookKind],
  ["channel_message", channelMessageKind],
  ["channel_reading", channelReadingKind],
]);
