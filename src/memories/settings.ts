import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

/** Settings of what people want models to remember. */
export const memorySettings = {
  ENABLE_MEMORIES: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "chat",
    type: "boolean",
    title: "Memories",
    description:
      "What people want models to remember about them. When off, memories are kept, but they can be neither read nor changed, and models do not get them.",
  },
  MAX_MEMORIES: {
    schema: z.number().int().min(1).max(5000),
    default: 500,
    where: "anywhere",
    section: "chat",
    type: "number",
    title: "Memories of a person",
    description: "How many memories one person may have.",
  },
} as const satisfies Record<string, Definition>;
