import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

/** Settings of channels and their webhooks. */
export const channelSettings = {
  ENABLE_CHANNELS: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "channels",
    type: "boolean",
    title: "Channels",
    description:
      "Rooms where people, bots and models write to each other. When off, channels can be neither read nor written.",
  },
  CHANNEL_CONTEXT_MESSAGES: {
    schema: z.number().int().min(1).max(200),
    default: 20,
    where: "anywhere",
    section: "channels",
    type: "number",
    title: "Context of a model (messages)",
    description:
      "How many of the latest messages a model sees when it is asked in a channel or thread, including the question.",
  },
  ENABLE_CHANNEL_WEBHOOK_NAMES: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "channels",
    type: "boolean",
    title: "Names and pictures in webhook posts",
    description:
      "A post may bring a name and a picture for itself. They are shown with the name of the webhook. When off, they are left out.",
  },
  CHANNEL_WEBHOOK_RATE: {
    schema: z.number().int().min(1).max(100_000),
    default: 300,
    where: "anywhere",
    section: "channels",
    type: "number",
    title: "Webhook rate limit (posts per minute)",
    description: "The sustained rate for each channel webhook. Faster posts get 429.",
  },
  CHANNEL_WEBHOOK_BURST: {
    schema: z.number().int().min(1).max(10_000),
    default: 60,
    where: "anywhere",
    section: "channels",
    type: "number",
    title: "Webhook burst (posts)",
    description: "How many posts an idle webhook may send without a pause.",
  },
} as const satisfies Record<string, Definition>;
