import * as z from "zod";

/** Required fields that Parley controls: quirks cannot change them. */
const untouchable = new Set(["model", "messages", "stream"]);
const name = z
  .string()
  .trim()
  .max(100)
  .regex(
    /^[A-Za-z][\w.-]*$/,
    "A field name must start with a letter and can have letters, digits, dots, dashes and underscores",
  );
const fieldName = name.refine((text) => !untouchable.has(text), "model, messages and stream cannot be changed");
const messageField = name.refine(
  (text) => text !== "role" && text !== "content",
  "role and content cannot be left out",
);
const maxEntries = 50;
const isShort = <T>(value: Record<string, T>) => Object.keys(value).length <= maxEntries;
const values = z
  .record(fieldName, z.unknown())
  .refine(isShort, `At most ${maxEntries} fields`)
  .refine((value) => JSON.stringify(value).length <= 16_384, "At most 16 KB");
const tag = z.string().min(1).max(60);
const seconds = (max: number) => z.number().int().min(1).max(max);

const quirkFields = {
  /**
   * Fields with another name at the provider: `{max_tokens: "max_completion_tokens"}`. A value under the new name wins.
   */
  rename: z.record(fieldName, fieldName).refine(isShort, `At most ${maxEntries} fields`),
  /** Fields that the provider rejects, by their names before renaming. */
  drop: z.array(fieldName).max(maxEntries),
  /** Fields of messages that it rejects, such as `name` or `reasoning_content`. */
  drop_from_messages: z.array(messageField).max(maxEntries),
  /** Fields set in every request, overriding its own. */
  force: values,
  /** Fields set in requests that do not have them. */
  defaults: values,
  /** Whether fields outside OpenAI's chat-completions API are passed on. */
  unknown_fields: z.enum(["pass", "drop"]),
  /** The role of system prompts; with `user` they are put before the first question. */
  system_role: z.enum(["keep", "system", "developer", "user"]),
  /** Whether streams may request usage with `stream_options`. */
  stream_options: z.boolean(),
  /** `data_url`: the provider does not fetch pictures; their bytes are sent. */
  images: z.enum(["as_sent", "data_url"]),
  /** Pairs of tags for reasoning of this provider's models, in addition to the built-in ones. */
  reasoning_tags: z.array(z.tuple([tag, tag])).max(10),
};

/** How requests to a provider differ from OpenAI's API: data applied to each request. */
export const connectionQuirks = z.object({
  rename: quirkFields.rename.default({}),
  drop: quirkFields.drop.default([]),
  drop_from_messages: quirkFields.drop_from_messages.default([]),
  force: quirkFields.force.default({}),
  defaults: quirkFields.defaults.default({}),
  unknown_fields: quirkFields.unknown_fields.default("pass"),
  system_role: quirkFields.system_role.default("keep"),
  stream_options: quirkFields.stream_options.default(true),
  images: quirkFields.images.default("as_sent"),
  reasoning_tags: quirkFields.reasoning_tags.default([]),
});
export type ConnectionQuirks = z.infer<typeof connectionQuirks>;

/** Fields in the change replace the stored ones. */
export const quirksChange = z.strictObject(quirkFields).partial();
export type QuirksChange = z.infer<typeof quirksChange>;

const policyFields = {
  /** Maximum number of attempts before the first byte. */
  attempts: z.number().int().min(1).max(5),
  /** Whether another connection with the model is tried if this one fails. */
  fail_over: z.boolean(),
  /** Time limit in seconds for the first byte, and between two; null for UPSTREAM_TIMEOUT. */
  first_byte_timeout: seconds(3600).nullable(),
  idle_timeout: seconds(3600).nullable(),
  /** Maximum `Retry-After` to wait for, in seconds. */
  max_retry_wait: z.number().int().min(0).max(60),
  /** Concurrent calls per isolate; null for no limit. */
  max_concurrent: z.number().int().min(1).max(10_000).nullable(),
  /** How many calls may wait for a slot, and how long, in seconds. */
  max_waiting: z.number().int().min(0).max(10_000),
  max_wait: z.number().int().min(0).max(600),
  /** Consecutive failures after which the provider is paused, and the pause in seconds; 0 for never. */
  breaker_failures: z.number().int().min(0).max(100),
  breaker_seconds: seconds(3600),
};

/** How calls to a provider are made. */
export const connectionPolicy = z.object({
  attempts: policyFields.attempts.default(2),
  fail_over: policyFields.fail_over.default(true),
  first_byte_timeout: policyFields.first_byte_timeout.default(null),
  idle_timeout: policyFields.idle_timeout.default(null),
  max_retry_wait: policyFields.max_retry_wait.default(5),
  max_concurrent: policyFields.max_concurrent.default(null),
  max_waiting: policyFields.max_waiting.default(100),
  max_wait: policyFields.max_wait.default(30),
  breaker_failures: policyFields.breaker_failures.default(5),
  breaker_seconds: policyFields.breaker_seconds.default(30),
});
export type ConnectionPolicy = z.infer<typeof connectionPolicy>;

/** Fields in the change replace the stored ones. */
export const policyChange = z.strictObject(policyFields).partial();
export type PolicyChange = z.infer<typeof policyChange>;

export const usualQuirks: ConnectionQuirks = connectionQuirks.parse({});
export const usualPolicy: ConnectionPolicy = connectionPolicy.parse({});

/** What one isolate has observed of a connection since its start or the last change. */
export const connectionHealth = z.object({
  /** `open`: paused until `open_until`; `half_open`: the next call probes it. */
  breaker: z.enum(["closed", "open", "half_open"]),
  /** Epoch seconds. */
  open_until: z.number().int().nullable(),
  in_flight: z.number().int(),
  waiting: z.number().int(),
  calls: z.number().int(),
  failed: z.number().int(),
  /** The newest first. */
  failures: z.array(
    z.object({
      /** Epoch seconds. */
      at: z.number().int(),
      /** For programs, such as `upstream_timeout` or the provider's code. */
      code: z.string().nullable(),
      /** The provider's own status; null if there was no answer. */
      status: z.number().int().nullable(),
      /** For people, without secrets. */
      message: z.string(),
      /** The provider's own id of the model; empty if none was requested. */
      model: z.string(),
    }),
  ),
});
export type ConnectionHealth = z.infer<typeof connectionHealth>;
