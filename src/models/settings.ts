import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

export const modelSettings = {
  DEFAULT_MODEL_VISIBILITY: {
    schema: z.enum(["everyone", "admins"]),
    default: "everyone",
    where: "anywhere",
    section: "models",
    type: "choice",
    options: ["everyone", "admins"],
    title: "Access to models without grants",
    description: "Who can see models without any grants.",
  },
  DEFAULT_MODELS: {
    schema: z.string().max(4000),
    default: "",
    where: "anywhere",
    section: "models",
    type: "text",
    picks: { what: "model", many: true },
    title: "Default model",
    description: "Model IDs, separated by commas. New chats use the first one that the person can see.",
  },
  DEFAULT_PINNED_MODELS: {
    schema: z.string().max(4000),
    default: "",
    where: "anywhere",
    section: "models",
    type: "text",
    picks: { what: "model", many: true },
    title: "Pinned models",
    description: "Model IDs, separated by commas. They come first in the list of people who have not pinned any.",
  },
} as const satisfies Record<string, Definition>;
