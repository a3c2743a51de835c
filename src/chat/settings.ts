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
    picks: { what: "model" },
    title: "Model for titles and tags",
    description: "A model ID. If empty, the model of the chat.",
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
