import * as z from "zod";

/** What a request must have and Parley decides: no quirk touches it. */
const untouchable = new Set(["model", "messages", "stream"]);
const name = z
  .string()
  .trim()
  .max(100)
  .regex(
    /^[A-Za-z][\w.-]*$/,
    "A field's name begins with a letter and holds letters, digits, dots, dashes and underscores",
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
  /** Fields that the provider calls otherwise: `{max_tokens: "max_completion_tokens"}`. What the request says under the new name wins. */
  rename: z.record(fieldName, fieldName).refine(isShort, `At most ${maxEntries} fields`),
  /** Fields that the provider refuses; by the names that requests have, before they are renamed. */
  drop: z.array(fieldName).max(maxEntries),
  /** Fields of single messages that it refuses, such as `name` or `reasoning_content`. */
  drop_from_messages: z.array(messageField).max(maxEntries),
  /** Fields that every request is sent with, whatever it says. */
  force: values,
  /** Fields that a request is sent with where it does not name them. */
  defaults: values,
  /** Whether fields go on that OpenAI's chat-completions API does not have. */
  unknown_fields: z.enum(["pass", "drop"]),
  /** The role that system prompts are sent in; with `user` they are put before the first question. */
  system_role: z.enum(["keep", "system", "developer", "user"]),
  /** Whether streams may be asked for their usage by `stream_options`. */
  stream_options: z.boolean(),
  /** `data_url`: the provider fetches no pictures; their bytes are sent along. */
  images: z.enum(["as_sent", "data_url"]),
  /** Pairs of texts between which the models of this provider think, beside those that are always known. */
  reasoning_tags: z.array(z.tuple([tag, tag])).max(10),
};

/** How the requests to one provider differ from what OpenAI's API takes: data that is applied to each of them. */
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

/** What is named takes the place of what was there. */
export const quirksChange = z.strictObject(quirkFields).partial();
export type QuirksChange = z.infer<typeof quirksChange>;

const policyFields = {
  /** How often a call is made, at most, before its first byte has come. */
  attempts: z.number().int().min(1).max(5),
  /** Whether another connection that has the model is asked where this one fails. */
  fail_over: z.boolean(),
  /** Seconds until the first byte of an answer, and between two; null for UPSTREAM_TIMEOUT. */
  first_byte_timeout: seconds(3600).nullable(),
  idle_timeout: seconds(3600).nullable(),
  /** Longest time, in seconds, for which a provider that says when to come again is waited for. */
  max_retry_wait: z.number().int().min(0).max(60),
  /** Calls at the same time, in each isolate; null for any number. */
  max_concurrent: z.number().int().min(1).max(10_000).nullable(),
  /** How many calls stand in line for a place, and for how long, in seconds. */
  max_waiting: z.number().int().min(0).max(10_000),
  max_wait: z.number().int().min(0).max(600),
  /** Failures in a row after which the provider is left alone, and for how many seconds; 0 for never. */
  breaker_failures: z.number().int().min(0).max(100),
  breaker_seconds: seconds(3600),
};

/** How calls of one provider are made. */
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

/** What is named takes the place of what was there. */
export const policyChange = z.strictObject(policyFields).partial();
export type PolicyChange = z.infer<typeof policyChange>;

export const usualQuirks: ConnectionQuirks = connectionQuirks.parse({});
export const usualPolicy: ConnectionPolicy = connectionPolicy.parse({});

/** What one isolate has seen of a connection since it started or the connection was changed. */
export const connectionHealth = z.object({
  /** `open`: it is left alone until `open_until`; `half_open`: the next call tries it again. */
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
      /** For machines, such as `upstream_timeout` or what the provider said. */
      code: z.string().nullable(),
      /** The provider's own status; null where there was no answer. */
      status: z.number().int().nullable(),
      /** For people, free of secrets. */
      message: z.string(),
      /** The provider's own id of the model; empty where none was asked for. */
      model: z.string(),
    }),
  ),
});
export type ConnectionHealth = z.infer<typeof connectionHealth>;
