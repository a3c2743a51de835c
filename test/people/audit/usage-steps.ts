import type { Step } from "./step.ts";

/** Quotas come, change and go. */
export const usageSteps: Step[] = [
  {
    who: "admin",
    route: "POST /api/v1/quotas",
    actions: ["quota.created"],
    makes: "quota",
    body: () => ({ scope: "everyone", unit: "tokens", period: "month", amount: 1_000_000 }),
  },
  {
    who: "admin",
    route: "PATCH /api/v1/quotas/:id",
    actions: ["quota.updated"],
    of: "quota",
    body: () => ({ amount: 2_000_000 }),
  },
  { who: "admin", route: "DELETE /api/v1/quotas/:id", actions: ["quota.deleted"], of: "quota" },
];
