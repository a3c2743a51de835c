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
  TASK_MODEL: {
    schema: z.string().max(256),
    default: "",
    where: "anywhere",
    section: "chat",
    type: "text",
    title: "Model for titles",
    description: "A model ID. If empty, the model of the chat.",
  },
} as const satisfies Record<string, Definition>;
