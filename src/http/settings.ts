import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

/** What the bodies of requests may cost. */
export const bodySettings = {
  MAX_JSON_VALUES: {
    schema: z.number().int().min(1000).max(10_000_000),
    default: 50_000,
    where: "environment",
    section: "network",
    type: "number",
    title: "Values in a body",
    description: "How many values the JSON body of an ordinary request may have.",
  },
  MAX_LARGE_JSON_VALUES: {
    schema: z.number().int().min(1000).max(10_000_000),
    default: 200_000,
    where: "environment",
    section: "network",
    type: "number",
    title: "Values in a large body",
    description: "The same for requests that carry conversations: chats, completions, and calls of local runtimes.",
  },
  MAX_BODY_MEMORY: {
    schema: z.number().int().min(32).max(10_000),
    default: 96,
    where: "environment",
    section: "network",
    type: "number",
    title: "Memory for bodies",
    description: "Megabytes of JSON bodies that may be in progress at the same time. Further requests wait.",
  },
} as const satisfies Record<string, Definition>;
