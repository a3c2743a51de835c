import * as z from "zod";

/** Wire shapes of a channel's webhooks; names are Open WebUI's where it has them. Times are epoch milliseconds. */

const time = z.number().int();

// Half surrogate pairs and control characters: neither can be shown.
const unprintable = /[\p{Cc}\p{Cs}]/u;

/** The author name of posts: one line, not empty. */
export const webhookName = z
  .string()
  .trim()
  .min(1, "a name of at least one character")
  .max(80)
  .refine((text) => !unprintable.test(text), "a name without line breaks and control characters");

/** A picture as a data URL or an address; "" and null for none. The address that was served leaves it as it is. */
const picture = z.string().max(500_000).nullable();

export const newWebhook = z.object({
  name: webhookName,
  profile_image_url: picture.optional(),
  /** Whether posts that belong together become a thread; yes where nothing is said. */
  threads: z.boolean().optional(),
});
export type NewWebhook = z.infer<typeof newWebhook>;

/** Missing fields stay unchanged. */
export const webhookChange = newWebhook.partial();
export type WebhookChange = z.infer<typeof webhookChange>;

/** A webhook of a channel for its managers: with its secret. */
export const webhookView = z.object({
  id: z.string(),
  channel_id: z.string(),
  /** Who made it; null when they are gone. */
  user_id: z.string().nullable(),
  name: z.string(),
  /** Path of its picture; null for none. */
  profile_image_url: z.string().nullable(),
  /** Whether posts that belong together become a thread. */
  threads: z.boolean(),
  /** Null when its key is no longer in the ring: only a new one can be shown. */
  token: z.string().nullable(),
  /** Where it posts to, token included. */
  url: z.string().nullable(),
  last_used_at: time.nullable(),
  created_at: time,
  updated_at: time,
});
export type WebhookView = z.infer<typeof webhookView>;

/** A request to the webhook's address, and what came of it. */
export const webhookRequest = z.object({
  /** Whose form the body had; null where that was not found out. */
  format: z.string().nullable(),
  /** HTTP status of the answer. */
  status: z.number().int(),
  /** Why it was refused, or not posted again. */
  reason: z.string().nullable(),
  message_id: z.string().nullable(),
  created_at: time,
});
export type WebhookRequest = z.infer<typeof webhookRequest>;

/** Maximum text of a post, in bytes of UTF-8. */
export const maxPostBytes = 16_384;

/** The answer to a post. */
export const posted = z.object({ success: z.literal(true), message_id: z.string() });

/** A post. Other programs' forms are read too: see docs/bots.md. */
export const inboundPost = z.object({ content: z.string() });
