import * as z from "zod";
import type { Definition } from "../../settings/definition.ts";

const days = z.number().int().min(0).max(36_500);
const forever = "0: keep them forever. An organization can have a period of its own.";

/** After how many days things are removed, for organizations without a period of their own. */
export const retentionSettings = {
  RETENTION_CHATS: {
    schema: days,
    default: 0,
    where: "anywhere",
    section: "retention",
    type: "number",
    title: "Chats (days)",
    description: `Days after its last change, pinned and archived chats included. ${forever}`,
  },
  RETENTION_FILES: {
    schema: days,
    default: 0,
    where: "anywhere",
    section: "retention",
    type: "number",
    title: "Files (days)",
    description: `Days after the upload or the last change. Files in a knowledge base, a channel, a model or a chat are kept as long as they are there. ${forever}`,
  },
  RETENTION_CHANNEL_MESSAGES: {
    schema: days,
    default: 0,
    where: "anywhere",
    section: "retention",
    type: "number",
    title: "Channel messages (days)",
    description: `Days after they were posted. ${forever}`,
  },
  RETENTION_LOGS: {
    schema: days,
    default: 0,
    where: "anywhere",
    section: "retention",
    type: "number",
    title: "Logs (days)",
    description: `Calls of models, the audit log, deliveries of webhooks and stored API responses. Some have a shorter period anyway. ${forever}`,
  },
} as const satisfies Record<string, Definition>;
