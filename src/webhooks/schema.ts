import * as z from "zod";

/** Wire shapes of outbound webhooks. All times are epoch milliseconds. */

/** The events of webhooks. `test` is only sent manually. */
export const webhookEvents = ["new_user", "chat_response", "test"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/**
 * The state of a delivery: `pending` until it was accepted (`delivered`), given up (`failed`), or cancelled
 * (`cancelled`: its endpoint was switched off or has no address).
 */
export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The format for a receiver, chosen by the host of its address. */
export const webhookShapes = ["generic", "slack", "discord", "teams", "google_chat"] as const;
export type WebhookShape = (typeof webhookShapes)[number];

/** Why an endpoint was switched off automatically: it returned 410, or has accepted nothing for five days. */
export const disabledReasons = ["gone", "failing"] as const;

/** Maximum length of an address, in characters. */
export const maxUrlLength = 2000;

/** Type of the live event about an endpoint that was switched off automatically; data as in `endpointDisabled`. */
export const webhookDisabled = "webhook:disabled";

const time = z.number().int();

/** Whose endpoint: the service's, for administrators, or the caller's own. */
export const whoseEndpoint = z.enum(["service", "own"]);
export type WhoseEndpoint = z.infer<typeof whoseEndpoint>;

export const endpointDisabled = z.object({ whose: whoseEndpoint, reason: z.enum(disabledReasons) });

export const endpointView = z.object({
  /** Empty as long as there is none. */
  url: z.string(),
  /** Of the service's: the address is set where the service is started, and cannot be changed here. */
  is_locked: z.boolean(),
  is_enabled: z.boolean(),
  /** Of people's: also while they are at it. */
  is_always: z.boolean(),
  shape: z.enum(webhookShapes),
  /** Null unless it was switched off without its owner. */
  disabled_reason: z.enum(disabledReasons).nullable(),
  disabled_at: time.nullable(),
  /** Since when nothing has been taken; null while it works. */
  failing_since: time.nullable(),
  /** Nothing is sent before, for its receiver has too much to do. */
  paused_until: time.nullable(),
  /** Until when deliveries are signed with the secret before the last rotation too; null otherwise. */
  previous_until: time.nullable(),
  /** Deliveries that are still to be taken. */
  pending: z.number().int(),
  /** Null as long as there is none. */
  created_at: time.nullable(),
  updated_at: time.nullable(),
});
export type EndpointView = z.infer<typeof endpointView>;

/** Missing fields stay unchanged; an empty `url` removes the endpoint's address. */
export const endpointChange = z.object({
  url: z.string().trim().max(maxUrlLength).optional(),
  is_enabled: z.boolean().optional(),
  is_always: z.boolean().optional(),
});
export type EndpointChange = z.infer<typeof endpointChange>;

export const secretView = z.object({
  /** `whsec_` and 32 bytes in base64, as libraries of Standard Webhooks take it. */
  secret: z.string(),
  previous_until: time.nullable(),
});
export type SecretView = z.infer<typeof secretView>;

/**
 * Why there was no answer that counts.
 * - `private_address`: the address says itself that it is private. `unreachable`: nobody answers there or the connection breaks,
 *   there is no such name, or it leads to a private place; of addresses behind the fence also where TLS fails, for the fence does
 *   not tell which.
 * - `redirect`: an answer that leads elsewhere; nobody follows.
 * - `unfinished`: it is under way, or was broken off before its end could be written down.
 */
export const attemptErrors = [
  "timeout",
  "private_address",
  "unreachable",
  "redirect",
  "tls",
  "secret_unreadable",
  "unfinished",
] as const;
export type AttemptError = (typeof attemptErrors)[number];

export const attemptView = z.object({
  number: z.number().int(),
  started_at: time,
  /** Milliseconds. */
  duration: z.number().int(),
  url: z.string(),
  request: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }),
  /** Null where there was no answer: `error` says why. Bodies are cut. */
  response: z
    .object({ status: z.number().int(), headers: z.record(z.string(), z.string()), body: z.string() })
    .nullable(),
  error: z.enum(attemptErrors).nullable(),
});
export type AttemptView = z.infer<typeof attemptView>;

export const deliveryView = z.object({
  id: z.string(),
  /** What the receiver gets as `webhook-id`: the same in every attempt and when it is sent again by hand. */
  webhook_id: z.string(),
  event: z.enum(webhookEvents),
  /** The chat's title, or the new person's e-mail address; empty for a test. */
  about: z.string(),
  state: z.enum(deliveryStates),
  /** Of one that was sent again by hand: the first one. */
  replay_of: z.string().nullable(),
  attempt_count: z.number().int(),
  next_attempt_at: time.nullable(),
  /** The last attempt. */
  last_status: z.number().int().nullable(),
  last_error: z.enum(attemptErrors).nullable(),
  last_duration: z.number().int().nullable(),
  created_at: time,
  finished_at: time.nullable(),
});
export type DeliveryView = z.infer<typeof deliveryView>;

export const deliveryDetail = deliveryView.extend({
  /** The contract's body; another shape of it is in the attempts. */
  payload: z.record(z.string(), z.unknown()),
  attempts: z.array(attemptView),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

/** A form that leaves a field empty leaves it out. */
const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

export const deliveryQuery = z.object({
  state: unlessEmpty(z.enum(deliveryStates)),
  event: unlessEmpty(z.enum(webhookEvents)),
  cursor: unlessEmpty(z.string().max(2000)),
  limit: z.coerce.number().int().min(1).max(100).default(30),
});
export type DeliveryQuery = z.output<typeof deliveryQuery>;

export const deliveryPage = z.object({
  deliveries: z.array(deliveryView),
  /** For `cursor`; null at the end. */
  next_cursor: z.string().nullable(),
});
export type DeliveryPage = z.infer<typeof deliveryPage>;

export const statsQuery = z.object({
  /** `hour`: the last 48 hours; `day`: the last 30 days. */
  by: z.enum(["hour", "day"]).default("day"),
});
export type StatsQuery = z.output<typeof statsQuery>;

export const statsBucket = z.object({
  /** Its beginning (UTC). */
  at: time,
  /** Attempts that were taken, and those that were not. */
  succeeded: z.number().int(),
  failed: z.number().int(),
  /** Milliseconds until the answer, of attempts that were taken; null without any. */
  p50: z.number().int().nullable(),
  p95: z.number().int().nullable(),
});
export type StatsBucket = z.infer<typeof statsBucket>;

export const webhookStats = z.object({
  by: z.enum(["hour", "day"]),
  /** Every hour or day of the time, also those without attempts; the oldest first. */
  buckets: z.array(statsBucket),
  /** Deliveries of that time by what became of them. */
  deliveries: z.record(z.enum(deliveryStates), z.number().int()),
});
export type WebhookStats = z.infer<typeof webhookStats>;
