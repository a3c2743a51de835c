import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

export const feedbackSettings = {
  ENABLE_MESSAGE_RATING: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "chat",
    type: "boolean",
    title: "Ratings of answers",
    description:
      "People can rate answers and say why. When off, earlier ratings are kept, and people can still delete their own.",
  },
} as const satisfies Record<string, Definition>;
