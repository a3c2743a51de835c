import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

export const chatSettings = {
  ENABLE_TITLE_GENERATION: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "chat",
    type: "boolean",
    title: "Generate titles",
    description: "A model writes a title for each new chat in the background.",
  },
  ENABLE_TAGS_GENERATION: {
    schema: z.boolean(),
    default: false,
    where: "anywhere",
    section: "chat",
    type: "boolean",
    title: "Generate tags",
    description: "A model chooses tags for each new chat in the background, which costs another call.",
  },
  TASK_MODEL: {
    schema: z.string().max(256),
    default: "",
    where: "anywhere",
    section: "chat",
    type: "text",
    title: "Model for titles, tags and summaries",
    description: "A model ID. If empty, the model of the chat.",
  },
  ENABLE_CONTEXT_COMPACTION: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "chat",
    type: "boolean",
    title: "Shorten long conversations",
    description:
      "When a conversation in the web page comes near the end of the model's context, a model summarizes its beginning. All messages stay. API calls are not changed.",
  },
  CONTEXT_COMPACTION_SHARE: {
    schema: z.number().int().min(10).max(95),
    default: 80,
    where: "anywhere",
    section: "chat",
    type: "number",
    title: "Shorten from (percent of the context)",
    description: "How full the model's context may get before a conversation is shortened.",
  },
  DEFAULT_PROMPT_SUGGESTIONS: {
    schema: z.array(z.string().trim().min(1).max(1000)).max(20),
    default: [],
    where: "anywhere",
    section: "chat",
    type: "list",
    title: "Suggested questions",
    description: "Questions that new chats offer, separated by semicolons, where the model suggests none of its own.",
  },
  MAX_CHAT_MESSAGES: {
    schema: z.number().int().min(100).max(50_000),
    default: 50_000,
    where: "anywhere",
    section: "chat",
    type: "number",
    title: "Messages in a chat",
    description: "The most messages that one chat can have. A save or an import of more is refused.",
  },
} as const satisfies Record<string, Definition>;
