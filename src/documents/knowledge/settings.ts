import * as z from "zod";
import type { Definition } from "../../settings/definition.ts";

export const knowledgeSettings = {
  ENABLE_KNOWLEDGE_FILE_RETENTION: {
    schema: z.boolean(),
    default: false,
    where: "anywhere",
    section: "documents",
    type: "boolean",
    title: "Keep files that leave a knowledge base",
    description:
      "Off: who takes out a file of their own that is nowhere else deletes it, also with a whole base. What a request itself says counts more.",
  },
} as const satisfies Record<string, Definition>;
