import type { Step } from "./step.ts";

/** Models that a runtime is to fetch. Nobody answers at its address; what came of it does not matter here. */
export const localModelSteps: Step[] = [
  {
    who: "admin",
    route: "POST /api/v1/connections",
    actions: ["connection.created"],
    makes: "runtime",
    body: () => ({ kind: "local", base_url: "http://127.0.0.1:9", prefix_id: "shed" }),
  },
  {
    who: "admin",
    route: "POST /api/v1/local-models/pulls",
    actions: ["local_model.pull_requested"],
    makes: "pull",
    body: ({ runtime }) => ({ connection_id: runtime, model: "tiny" }),
  },
  {
    who: "admin",
    route: "POST /api/v1/local-models/pulls/:id/stop",
    actions: ["local_model.pull_stopped"],
    of: "pull",
    body: () => ({}),
  },
];
