import type { RemovedKind } from "../../../../life/retention/schema.ts";
import type { RetentionKind } from "../../../../shared/retention-kinds.ts";
import { inLanguage } from "../../../languages/admin.ts";
import { locale } from "../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);

/** Texts about how long things are kept. */
export const texts = inLanguage("admin/retention", {
  title: "Data retention",
  sub: "How many days to keep the data of this organization's people. Leave a field empty to use the default from the settings. 0 keeps data forever.",
  name: "retention periods",
  fields: {
    chats: "Chats",
    files: "Files",
    channel_messages: "Channel messages",
    logs: "Logs",
  } satisfies Record<RetentionKind, string>,
  hints: {
    chats: "Days after the last change. Pinned and archived chats are removed too.",
    files: "Days after the upload. Files in a chat, a channel, a model or a knowledge base are kept.",
    channel_messages: "Days after the post.",
    logs: "Model calls, the audit log, webhook deliveries and stored API responses.",
  } satisfies Record<RetentionKind, string>,
  wrong: "Enter a whole number of days up to 36,500, or leave it empty.",
  saved: "Saved. The periods apply within the hour.",
  preview: {
    action: "See what would be removed now",
    again: "Count again",
    counting: "Counting. This can take a while.",
    failed: "What would be removed couldn't be counted",
    nothing: "Nothing would be removed now.",
    caption: "What would be removed now",
    columns: { kind: "What", count: "Number", bytes: "Size", oldest: "Oldest" },
    kinds: {
      chats: "Chats",
      files: "Files",
      channel_messages: "Channel messages",
      calls: "Model calls",
      audit_events: "Audit log entries",
      deliveries: "Webhook deliveries",
      responses: "Stored API responses",
    } satisfies Record<RemovedKind, string>,
    count: (value: number) => number.format(value),
    fix: "Correct the values first.",
  },
});
