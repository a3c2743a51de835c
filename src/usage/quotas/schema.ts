import * as z from "zod";

/** Whose use is limited. */
export const quotaScopes = ["everyone", "organization", "group", "person", "key"] as const;
export const quotaUnits = ["tokens", "requests"] as const;
export const quotaPeriods = ["hour", "day", "month"] as const;

export type QuotaScope = (typeof quotaScopes)[number];
export type QuotaPeriod = (typeof quotaPeriods)[number];

const id = z.string().min(1).max(100);

export const quotaInput = z
  .strictObject({
    scope: z.enum(quotaScopes),
    /** The organization, group, person or key; left out for everyone. */
    subject_id: id.nullish(),
    /** One amount for all of them together instead of one for each person. Of a person or a key it makes no difference. */
    is_shared: z.boolean().default(false),
    /** Only calls of this model count, and only they are refused; left out or null for all models. */
    model: z.string().min(1).max(256).nullish(),
    unit: z.enum(quotaUnits),
    /** Windows begin with the hour, day or month in UTC. */
    period: z.enum(quotaPeriods),
    /** The largest amount in a window; 0 refuses everything; null: no limit, where a more general quota has one. */
    amount: z.number().int().min(0).max(1e15).nullable(),
  })
  .refine(({ scope, subject_id: subject }) => (scope === "everyone") === (subject === undefined || subject === null), {
    path: ["subject_id"],
    message: "the id of the organization, group, person or key; leave it out for everyone",
  });
export type QuotaInput = z.output<typeof quotaInput>;

export const quotaChange = z.strictObject({ amount: quotaInput.shape.amount });
export type QuotaChange = z.output<typeof quotaChange>;

export const quota = z.object({
  id: z.string(),
  scope: z.enum(quotaScopes),
  subject_id: z.string().nullable(),
  /** The subject's name; null for everyone. */
  subject_name: z.string().nullable(),
  is_shared: z.boolean(),
  model: z.string().nullable(),
  unit: z.enum(quotaUnits),
  period: z.enum(quotaPeriods),
  amount: z.number().int().nullable(),
  /** The organization whose administrators set it; null for one of the whole service. */
  organization_id: z.string().nullable(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type Quota = z.output<typeof quota>;
export const quotaList = z.object({ quotas: z.array(quota) });

/** A quota as whom it limits sees it. */
export const quotaLeft = z.object({
  /** Whose use counts: one's own, that of one key, or that of everyone whom the quota is shared by. */
  counts: z.enum(["person", "key", "shared"]),
  /** Name of the key, group or organization. */
  name: z.string().nullable(),
  model: z.string().nullable(),
  unit: z.enum(quotaUnits),
  period: z.enum(quotaPeriods),
  amount: z.number().int(),
  used: z.number().int(),
  left: z.number().int(),
  /** When the next window begins, epoch seconds. */
  resets_at: z.number().int(),
});
export type QuotaLeft = z.output<typeof quotaLeft>;
export const quotaLeftList = z.object({ quotas: z.array(quotaLeft) });
