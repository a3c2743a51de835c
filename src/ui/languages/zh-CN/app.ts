import type { AppTexts } from "../app-texts.ts";
import app from "./app/app.ts";
import channelsCards from "./app/channels-cards.ts";
import channelsMentions from "./app/channels-mentions.ts";
import channelsPeople from "./app/channels-people.ts";
import channelsReplies from "./app/channels-replies.ts";
import channelsWebhooks from "./app/channels-webhooks.ts";
import channels from "./app/channels.ts";
import chatFolders from "./app/chat-folders.ts";
import chatSharing from "./app/chat-sharing.ts";
import chatTags from "./app/chat-tags.ts";
import chatTurn from "./app/chat-turn.ts";
import chat from "./app/chat.ts";
import componentsFilePreview from "./app/components-file-preview.ts";
import componentsSchemaForm from "./app/components-schema-form.ts";
import components from "./app/components.ts";
import help from "./app/help.ts";
import knowledge from "./app/knowledge.ts";
import libFiles from "./app/lib-files.ts";
import libMarkdown from "./app/lib-markdown.ts";
import prompts from "./app/prompts.ts";
import settingsConnections from "./app/settings-connections.ts";
import settingsData from "./app/settings-data.ts";
import settingsKeys from "./app/settings-keys.ts";
import settingsMemories from "./app/settings-memories.ts";
import settings from "./app/settings.ts";
import signIn from "./app/sign-in.ts";
import storage from "./app/storage.ts";
import usage from "./app/usage.ts";
import webhooks from "./app/webhooks.ts";

export default {
  app,
  "components/file-preview": componentsFilePreview,
  "components/schema-form": componentsSchemaForm,
  components,
  "channels/cards": channelsCards,
  "channels/mentions": channelsMentions,
  "channels/people": channelsPeople,
  "channels/replies": channelsReplies,
  channels,
  "channels/webhooks": channelsWebhooks,
  "chat/folders": chatFolders,
  "chat/sharing": chatSharing,
  "chat/tags": chatTags,
  chat,
  "chat/turn": chatTurn,
  help,
  knowledge,
  prompts,
  "settings/connections": settingsConnections,
  "settings/data": settingsData,
  "settings/keys": settingsKeys,
  "settings/memories": settingsMemories,
  settings,
  "sign-in": signIn,
  storage,
  usage,
  webhooks,
  "lib/files": libFiles,
  "lib/markdown": libMarkdown,
} satisfies AppTexts;
