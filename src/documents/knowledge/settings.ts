import * as z from "zod";
import type { Definition } from "../../settings/definition.ts";

export const knowledgeSettings = {
  ENABLE_KNOWLEDGE_FILE_RETENTION: {
    schema: z.boolean(),
    default: false,
    where: "anywhere",
    section: "documents",
    type: "boolean",
    title: "Keep removed files",
    description:
      "When off, removing your own file from a knowledge base also deletes it, unless it is used elsewhere; the same applies when you delete a knowledge base. A request can override this.",
  },
} as const satisfies Record<string, Definition>;
