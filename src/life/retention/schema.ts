import * as z from "zod";
import { retentionKinds, type RetentionKind } from "../../shared/retention-kinds.ts";

/** What is counted apart; the last four are logs. */
export const removedKinds = [
  "chats",
  "files",
  "channel_messages",
  "calls",
  "audit_events",
  "deliveries",
  "responses",
] as const;
export type RemovedKind = (typeof removedKinds)[number];

/** Whose period each of them follows. */
export const periodOf: Readonly<Record<RemovedKind, RetentionKind>> = {
  chats: "chats",
  files: "files",
  channel_messages: "channel_messages",
  calls: "logs",
  audit_events: "logs",
  deliveries: "logs",
  responses: "logs",
};

const days = z.number().int().min(0).max(36_500);

/** Days by kind; 0 is forever. */
export const effectivePeriods = z.object({ chats: days, files: days, channel_messages: days, logs: days });
export type EffectivePeriods = z.infer<typeof effectivePeriods>;

const asked = z.union([z.literal("default"), z.coerce.number().pipe(days)]).optional();

/** Periods to try, in days; what is left out stays as it is saved, `default` follows the settings. */
export const previewQuery = z.object(
  Object.fromEntries(retentionKinds.map((kind) => [kind, asked])) as Record<RetentionKind, typeof asked>,
);
export type PreviewQuery = z.infer<typeof previewQuery>;

export const retentionPreview = z.object({
  /** The periods that this is about. Of all organizations: those of the settings. */
  periods: effectivePeriods,
  /** What would be removed now. */
  removed: z.array(
    z.object({
      kind: z.enum(removedKinds),
      count: z.number().int(),
      /** Of what is written or stored in them. */
      bytes: z.number().int(),
      /** Epoch seconds; null if there is nothing. */
      oldest: z.number().int().nullable(),
    }),
  ),
});
export type RetentionPreview = z.infer<typeof retentionPreview>;
