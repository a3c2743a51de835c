import { isRecord, textField } from "../../../lib/live/live-state.ts";

/** What a person says about an answer. */
export interface Rating {
  /** Of the rating at the service; empty where another client has left out which one it is. */
  id: string;
  /** 1 for good, -1 for bad. */
  rating: 1 | -1;
  /** From 1 to 10. */
  score?: number | undefined;
  /** One of `reasons`, or what another client knows. */
  reason?: string | undefined;
  tags?: readonly string[] | undefined;
  comment?: string | undefined;
}

/** The reasons that clients of Open WebUI know, by their names there. */
export const reasons = {
  1: [
    "accurate_information",
    "followed_instructions_perfectly",
    "showcased_creativity",
    "positive_attitude",
    "attention_to_detail",
    "thorough_explanation",
    "other",
  ],
  [-1]: [
    "dont_like_the_style",
    "too_verbose",
    "not_helpful",
    "not_factually_correct",
    "didnt_fully_follow_instructions",
    "refused_when_it_shouldnt_have",
    "being_lazy",
    "other",
  ],
} as const;

/** Reads what clients of Open WebUI keep with a message; undefined where there is no rating. */
export function readRating(stored: Record<string, unknown>): Rating | undefined {
  const { annotation } = stored;
  if (!isRecord(annotation)) return undefined;
  const rating = Number(annotation["rating"]);
  if (rating !== 1 && rating !== -1) return undefined;
  const { details, tags } = annotation;
  const score = isRecord(details) ? details["rating"] : undefined;
  return {
    id: textField(stored, "feedbackId"),
    rating,
    score: typeof score === "number" ? score : undefined,
    reason: textField(annotation, "reason") || undefined,
    comment: textField(annotation, "comment") || undefined,
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : undefined,
  };
}
