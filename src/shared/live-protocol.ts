import * as z from "zod";

/** Frames of the live socket (`GET /api/v1/events`), JSON in text messages; shared with the UI. */

/** An event from plugins, tools and runs; the contract's `{type, data}`. */
export const eventData = z.object({ type: z.string().min(1).max(100), data: z.unknown() });

/** The plugin that asks. `maker`: the name of its author if that is another person who is not an administrator, else null. */
export const eventSource = z.object({
  family: z.enum(["function", "tool"]),
  id: z.string(),
  name: z.string(),
  maker: z.string().nullable(),
});
export type EventSource = z.infer<typeof eventSource>;

/** The argument of `LiveSessions.publish`: an event and what it belongs to. */
export const liveEvent = z.object({
  chat_id: z.string().optional(),
  /** Of what happens in a channel; its events are `channelEvents` in channels/schema.ts. */
  channel_id: z.string().optional(),
  message_id: z.string().optional(),
  run_id: z.string().optional(),
  data: eventData,
  /** Of questions. */
  by: eventSource.optional(),
  /**
   * Number of the last thing (status, source and so on) that the event has stored; what was loaded with a message whose
   * `lastItem` is not smaller has it already.
   */
  item: z.number().int().optional(),
  /**
   * The event is a question (`confirmation`, `input`, `execute`) that a tab answers. `expires_at` in epoch seconds. Of `execute`,
   * `tab` is the `session_id` of the one tab that runs the code; where that is gone, the question comes again with another. A
   * tab that has begun with a question does not begin again when it gets a new `session_id`.
   */
  call: z.object({ id: z.string(), expires_at: z.number(), tab: z.string().optional() }).optional(),
});
export type LiveEvent = z.infer<typeof liveEvent>;

/** Event type: the person's own permissions may have changed, so clients load them again. */
export const sessionChanged = "session:changed";

/**
 * Event type: a question no longer needs an answer; data `{call_id, reason}`, the reason `answered`, `timeout` or
 * `stopped`.
 */
export const callClosed = "call:closed";

/** An active run, for a tab that has missed its beginning. `started_at` in epoch seconds. */
export const runSnapshot = z.object({
  run_id: z.string(),
  chat_id: z.string(),
  message_id: z.string(),
  model: z.string(),
  content: z.string(),
  reasoning: z.string(),
  started_at: z.number(),
});
export type RunSnapshot = z.infer<typeof runSnapshot>;

export const clientFrame = z.discriminatedUnion("kind", [
  /**
   * First frame, and only once: another one closes the socket. `epoch` and `since` are what the tab saw last, so that it
   * gets what it missed.
   */
  z.object({
    kind: z.literal("hello"),
    epoch: z.string().optional(),
    since: z.number().int().nonnegative().optional(),
  }),
  /** Whether the tab can be seen; sent on change and every 30 s while visible. */
  z.object({ kind: z.literal("visible"), visible: z.boolean() }),
  /** The person's answer to a question, or why there is none (`error`, of code that failed); the first one counts. */
  z.object({
    kind: z.literal("answer"),
    call_id: z.string(),
    value: z.unknown().optional(),
    error: z.string().max(4000).optional(),
  }),
  /** The person is writing in a channel, or in a thread of it; sent every few seconds while it is so. */
  z.object({
    kind: z.literal("typing"),
    channel_id: z.string().min(1).max(100),
    parent_id: z.string().min(1).max(100).nullable(),
  }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

export const serverFrame = z.discriminatedUnion("kind", [
  /**
   * Answer to `hello`. With `replayed`, every event after `since` follows; without, the tab takes `runs` as they are
   * (they include all events up to `seq`) and loads what else it shows again.
   */
  z.object({
    kind: z.literal("welcome"),
    epoch: z.string(),
    seq: z.number().int(),
    session_id: z.string(),
    replayed: z.boolean(),
    runs: z.array(runSnapshot),
    /** Questions that wait for an answer. */
    calls: z.array(liveEvent),
  }),
  z.object({ kind: z.literal("event"), seq: z.number().int(), ...liveEvent.shape }),
  /** The session has ended; the socket closes with 4401 after it. */
  z.object({ kind: z.literal("signed-out"), reason: z.string() }),
]);
export type ServerFrame = z.infer<typeof serverFrame>;

/** Close code for a session that has ended. */
export const closeSignedOut = 4401;
/** Close code for invalid frames. */
export const closePolicy = 1008;
/** Close code for a client that sends too much, or does not read what it is sent: connect again later, with what was seen last. */
export const closeTryLater = 1013;
