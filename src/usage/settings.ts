import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

/** What is kept and shown of the use of models. */
export const usageSettings = {
  USAGE_RECORD_DAYS: {
    schema: z.number().int().min(1).max(3650),
    default: 90,
    where: "anywhere",
    section: "models",
    type: "number",
    title: "Keep individual calls (days)",
    description: "Which person called which model, when, and for how long. Daily totals are kept forever.",
  },
  ENABLE_PUBLIC_ACTIVE_USERS_COUNT: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "models",
    type: "boolean",
    title: "Show active people to everyone",
    description:
      "GET /api/usage: how many people are active, and which models are in use. When off, for administrators only.",
  },
} as const satisfies Record<string, Definition>;
