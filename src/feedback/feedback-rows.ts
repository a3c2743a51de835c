import type { FeedbackView } from "./schema.ts";
import type { feedback } from "./tables.ts";

export type FeedbackRow = typeof feedback.$inferSelect;

/** Clients of Open WebUI expect a version, of which they have only one. */
const version = 0;

export function feedbackViewOf({ snapshot, ...row }: FeedbackRow): FeedbackView {
  return { ...plainFeedback(row), snapshot };
}

/** Without the conversation. */
export function plainFeedback(row: Omit<FeedbackRow, "snapshot">): Omit<FeedbackView, "snapshot"> {
  return {
    id: row.id,
    user_id: row.userId,
    version,
    type: row.type,
    data: row.data,
    meta: row.meta,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
