import type { Step } from "./step.ts";

const base = "/api/v1/memories";
const makes: Step = {
  who: "ada",
  route: `POST ${base}/add`,
  actions: ["memory.created"],
  makes: "memory",
  body: () => ({ content: "Sails on Sundays" }),
};

/** Memories: added, changed, deleted, one and all. */
export const memorySteps: Step[] = [
  makes,
  {
    who: "ada",
    route: `POST ${base}/:id/update`,
    actions: ["memory.updated"],
    of: "memory",
    body: () => ({ content: "Sails on Mondays" }),
  },
  {
    who: "ada",
    route: `POST ${base}/update`,
    actions: ["memory.several_changed"],
    body: () => ({ operations: [{ action: "add", content: "Lives in Kiel" }] }),
  },
  { who: "ada", route: `DELETE ${base}/:id`, actions: ["memory.deleted"], of: "memory" },
  makes,
  { who: "ada", route: `DELETE ${base}/delete/user`, actions: ["memory.all_deleted"] },
];
