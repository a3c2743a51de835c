import * as z from "zod";

/** A form that leaves a field empty leaves it out. */
const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());
const word = unlessEmpty(z.string().max(200));
const moment = unlessEmpty(z.coerce.number().int().min(0).max(1e11));

export const actorKinds = ["session", "api-key", "scim", "operator", "environment", "anonymous"] as const;

export const auditFilter = z.object({
  actor_id: word,
  actor_kind: unlessEmpty(z.enum(actorKinds)),
  /** The whole action, or its beginning with a `*` behind it: `user.*`. */
  action: word,
  target_type: word,
  target_id: word,
  organization_id: word,
  /** The first moment, epoch seconds. */
  from: moment,
  /** The moment before which it ends, epoch seconds. */
  to: moment,
  /** Only what failed, or only what did not. */
  failed: unlessEmpty(z.stringbool()),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const auditQuery = auditFilter.extend({
  cursor: unlessEmpty(z.string().max(2000)),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type AuditQuery = z.infer<typeof auditQuery>;

export const auditEvent = z.object({
  id: z.string(),
  at: z.number().int(),
  actor: z.object({
    kind: z.string(),
    /** Null for those who are no people: identity providers, the environment, strangers. */
    id: z.string().nullable(),
    /** As it is now; null also for accounts that are gone. */
    name: z.string().nullable(),
    /** A service account. */
    is_service: z.boolean(),
  }),
  action: z.string(),
  target: z.object({
    type: z.string(),
    id: z.string(),
    /** Of people, groups, organizations and connections, as it is now; null for all else and for what is gone. */
    name: z.string().nullable(),
  }),
  organization_id: z.string().nullable(),
  /** What changed; `error` says why something failed. */
  detail: z.record(z.string(), z.unknown()),
  request_id: z.string(),
});
export type AuditEvent = z.infer<typeof auditEvent>;

export const auditPage = z.object({ events: z.array(auditEvent), next_cursor: z.string().nullable() });
export type AuditPage = z.infer<typeof auditPage>;
