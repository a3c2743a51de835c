import type { ConnectionPolicy, ConnectionQuirks } from "../../../../models/calling/schema.ts";

/** The service's own defaults, for a connection that is not saved yet. */
export const usualQuirks: ConnectionQuirks = {
  rename: {},
  drop: [],
  drop_from_messages: [],
  force: {},
  defaults: {},
  unknown_fields: "pass",
  system_role: "keep",
  stream_options: true,
  images: "as_sent",
  reasoning_tags: [],
};
export const usualPolicy: ConnectionPolicy = {
  attempts: 2,
  fail_over: true,
  first_byte_timeout: null,
  idle_timeout: null,
  max_retry_wait: 5,
  max_concurrent: null,
  max_waiting: 100,
  max_wait: 30,
  breaker_failures: 5,
  breaker_seconds: 30,
};
