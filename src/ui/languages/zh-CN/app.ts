import type { AppTexts } from "../app-texts.ts";
import admin from "./app/admin.ts";
import appInstalled from "./app/app-installed.ts";
import app from "./app/app.ts";
import channelsCards from "./app/channels-cards.ts";
import channelsEmoji from "./app/channels-emoji.ts";
import channelsMentions from "./app/channels-mentions.ts";
import channelsPeople from "./app/channels-people.ts";
import channelsReplies from "./app/channels-replies.ts";
import channelsWebhooks from "./app/channels-webhooks.ts";
import channels from "./app/channels.ts";
import chatCodeRuns from "./app/chat-code-runs.ts";
import chatFolders from "./app/chat-folders.ts";
import chatPreviews from "./app/chat-previews.ts";
import chatRating from "./app/chat-rating.ts";
import chatSharing from "./app/chat-sharing.ts";
import chatStatus from "./app/chat-status.ts";
import chatTags from "./app/chat-tags.ts";
import chatTurnModel from "./app/chat-turn-model.ts";
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
import settingsDevice from "./app/settings-device.ts";
import settingsInstructions from "./app/settings-instructions.ts";
import settingsKeys from "./app/settings-keys.ts";
import settingsMemories from "./app/settings-memories.ts";
import settingsSecondFactor from "./app/settings-second-factor.ts";
import settings from "./app/settings.ts";
import signIn from "./app/sign-in.ts";
import status from "./app/status.ts";
import storage from "./app/storage.ts";
import usage from "./app/usage.ts";
import voice from "./app/voice.ts";
import webhooks from "./app/webhooks.ts";

export default {
  "app/installed": appInstalled,
  app,
  "components/file-preview": componentsFilePreview,
  "components/schema-form": componentsSchemaForm,
  components,
  admin,
  "channels/cards": channelsCards,
  "channels/emoji": channelsEmoji,
  "channels/mentions": channelsMentions,
  "channels/people": channelsPeople,
  "channels/replies": channelsReplies,
  channels,
  "channels/webhooks": channelsWebhooks,
  "chat/code-runs": chatCodeRuns,
  "chat/folders": chatFolders,
  "chat/previews": chatPreviews,
  "chat/rating": chatRating,
  "chat/sharing": chatSharing,
  "chat/status": chatStatus,
  "chat/tags": chatTags,
  chat,
  "chat/turn-model": chatTurnModel,
  "chat/turn": chatTurn,
  help,
  knowledge,
  prompts,
  "settings/connections": settingsConnections,
  "settings/data": settingsData,
  "settings/device": settingsDevice,
  "settings/instructions": settingsInstructions,
  "settings/keys": settingsKeys,
  "settings/memories": settingsMemories,
  "settings/second-factor": settingsSecondFactor,
  settings,
  "sign-in": signIn,
  status,
  storage,
  usage,
  voice,
  webhooks,
  "lib/files": libFiles,
  "lib/markdown": libMarkdown,
} satisfies AppTexts;
