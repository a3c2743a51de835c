import * as z from "zod";

/** Characters of the JSON of a rating with its reason, and of a conversation. */
const maxData = 20_000;
export const maxSnapshot = 500_000;

const isShort = (most: number) => (value: unknown) => JSON.stringify(value).length <= most;

/** 1 or -1; older clients send texts. */
const rating = z
  .union([z.literal(1), z.literal(-1), z.literal("1"), z.literal("-1")])
  .transform(Number)
  .nullish();

export const feedbackData = z
  .looseObject({
    rating,
    model_id: z.string().max(600).nullish(),
    /** Other answers to the same question. */
    sibling_model_ids: z.array(z.string().max(600)).max(50).nullish(),
    reason: z.string().max(200).nullish(),
    comment: z.string().max(4000).nullish(),
    tags: z.array(z.string().max(100)).max(20).nullish(),
    /** `rating` is a number from 1 to 10. */
    details: z.looseObject({ rating: z.number().min(1).max(10).nullish() }).nullish(),
  })
  .refine(isShort(maxData), `can have at most ${maxData} characters`);
export type FeedbackData = z.infer<typeof feedbackData>;

export const feedbackMeta = z
  .looseObject({
    chat_id: z.string().min(1).max(100).nullish(),
    message_id: z.string().min(1).max(100).nullish(),
    /** The person allows administrators to read the conversation in `snapshot`, which is dropped without it. */
    share_chat: z.boolean().nullish(),
  })
  .refine(isShort(maxData), `can have at most ${maxData} characters`);

export const feedbackSnapshot = z
  .looseObject({ chat: z.record(z.string(), z.unknown()).nullish() })
  .refine(isShort(maxSnapshot), `can have at most ${maxSnapshot} characters`);

export const newFeedback = z.object({
  type: z.string().min(1).max(40),
  data: feedbackData.nullish(),
  meta: feedbackMeta.nullish(),
  snapshot: feedbackSnapshot.nullish(),
});
export type NewFeedback = z.infer<typeof newFeedback>;

/** What is missing stays; `meta.share_chat: false` takes the conversation away. */
export const feedbackChange = newFeedback.partial();
export type FeedbackChange = z.infer<typeof feedbackChange>;

const fields = {
  id: z.string(),
  user_id: z.string(),
  version: z.number().int(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  meta: z.record(z.string(), z.unknown()),
  created_at: z.number().int(),
  updated_at: z.number().int(),
};

export const feedbackView = z.object({ ...fields, snapshot: z.record(z.string(), z.unknown()).nullable() });
export type FeedbackView = z.infer<typeof feedbackView>;

export const feedbackId = z.object({
  id: z.string(),
  user_id: z.string(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type FeedbackId = z.infer<typeof feedbackId>;

export const listedFeedback = z.object({
  ...fields,
  organization_id: z.string(),
  /** Whether the owner lets administrators read the conversation. */
  has_chat: z.boolean(),
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.string(),
    last_active_at: z.number().int(),
    created_at: z.number().int(),
    updated_at: z.number().int(),
  }),
});
export type ListedFeedback = z.infer<typeof listedFeedback>;

export const feedbackPage = z.object({ items: z.array(listedFeedback), total: z.number().int() });
export type FeedbackPage = z.infer<typeof feedbackPage>;

const page = z.coerce.number().int().min(1).max(100_000).default(1);
const word = z.string().max(600).optional();
export const ownFeedbackQuery = z.object({ page });
export const feedbackFilter = z.object({
  model_id: word,
  organization_id: word,
  rating: z.enum(["1", "-1"]).optional(),
});
export type FeedbackFilter = z.infer<typeof feedbackFilter>;
export const feedbackQuery = feedbackFilter.extend({
  order_by: z.enum(["username", "model_id", "rating", "updated_at", "created_at"]).optional(),
  direction: z.enum(["asc", "desc"]).optional(),
  page,
});
export type FeedbackQuery = z.infer<typeof feedbackQuery>;

export const summaryQuery = feedbackFilter.omit({ rating: true }).extend({
  days: z.coerce.number().int().min(1).max(366).default(30),
});
export type SummaryQuery = z.infer<typeof summaryQuery>;

const counts = { good: z.number().int(), bad: z.number().int() };
export const feedbackSummary = z.object({
  /** The most rated first, 200 at most. */
  models: z.array(
    z.object({
      model_id: z.string(),
      ...counts,
      /** The mean of the numbers from 1 to 10; null where nobody gave one. */
      score: z.number().nullable(),
      /** Why, the most frequent first. */
      reasons: z.array(z.object({ reason: z.string(), count: z.number().int() })),
    }),
  ),
  /** Days in UTC that have ratings, oldest first. */
  days: z.array(z.object({ date: z.string(), ...counts })),
});
export type FeedbackSummary = z.infer<typeof feedbackSummary>;
