import type { Step } from "./step.ts";

const base = "/api/v1/evaluations";
const makes: Step = {
  who: "ada",
  route: `POST ${base}/feedback`,
  actions: ["feedback.given"],
  makes: "rating",
  body: () => ({ type: "rating", data: { rating: 1, model_id: "tide" } }),
};

/** Ratings of answers: given, changed, deleted, one and all. */
export const feedbackSteps: Step[] = [
  makes,
  {
    who: "ada",
    route: `POST ${base}/feedback/:id`,
    actions: ["feedback.changed"],
    of: "rating",
    body: () => ({ data: { rating: -1 } }),
  },
  { who: "ada", route: `DELETE ${base}/feedback/:id`, actions: ["feedback.deleted"], of: "rating" },
  makes,
  { who: "ada", route: `DELETE ${base}/feedbacks`, actions: ["feedback.all_deleted"] },
  makes,
  { who: "admin", route: `DELETE ${base}/feedbacks/all`, actions: ["feedback.all_deleted"] },
];
