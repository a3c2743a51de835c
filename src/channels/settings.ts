import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

/** Channels, and what posts into them. */
export const channelSettings = {
  ENABLE_CHANNELS: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "channels",
    type: "boolean",
    title: "Channels",
    description:
      "Places where people, bots and models write to each other. When off, nothing in them can be read or posted.",
  },
  CHANNEL_CONTEXT_MESSAGES: {
    schema: z.number().int().min(1).max(200),
    default: 20,
    where: "anywhere",
    section: "channels",
    type: "number",
    title: "Messages that a model reads",
    description:
      "How many of the latest messages a model is shown that is asked in a channel or thread, the question among them.",
  },
  CHANNEL_WEBHOOK_RATE: {
    schema: z.number().int().min(1).max(100_000),
    default: 300,
    where: "anywhere",
    section: "channels",
    type: "number",
    title: "Posts of a webhook (per minute)",
    description: "How fast each webhook of a channel may post for long; more than that is answered with 429.",
  },
  CHANNEL_WEBHOOK_BURST: {
    schema: z.number().int().min(1).max(10_000),
    default: 60,
    where: "anywhere",
    section: "channels",
    type: "number",
    title: "Posts of a webhook at once",
    description: "How many posts a webhook that was silent may send without a pause.",
  },
} as const satisfies Record<string, Definition>;
