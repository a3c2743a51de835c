import { everyone, owner, ownerOrSystemAdmin, systemAdmin, type Row } from "./cells.ts";

const base = "/api/v1/evaluations";
const rating = { ids: { id: "rating" } } as const;
const good = { type: "rating", data: { rating: 1 } };

/** What people say about answers, as rows of the table. */
export const feedbackTable: Readonly<Record<string, Row>> = {
  [`POST ${base}/feedback`]: {
    ids: { chat_id: "chat" },
    say: ({ chat_id }) => ({ json: { ...good, meta: { chat_id } } }),
    may: owner,
  },
  [`GET ${base}/feedback/:id`]: { ...rating, may: ownerOrSystemAdmin },
  [`POST ${base}/feedback/:id`]: { ...rating, say: () => ({ json: good }), may: owner },
  [`DELETE ${base}/feedback/:id`]: { ...rating, may: ownerOrSystemAdmin },
  [`GET ${base}/feedbacks/user`]: { may: everyone },
  [`DELETE ${base}/feedbacks`]: { may: everyone },
  [`GET ${base}/feedbacks/list`]: { may: systemAdmin },
  [`GET ${base}/feedbacks/models`]: { may: systemAdmin },
  [`GET ${base}/feedbacks/all/ids`]: { may: systemAdmin },
  [`DELETE ${base}/feedbacks/all`]: { may: systemAdmin },
  [`GET ${base}/feedbacks/all/export`]: { may: systemAdmin },
  [`GET ${base}/feedbacks/all/export/csv`]: { may: systemAdmin },
  [`GET ${base}/summary`]: { may: systemAdmin },
};
