import { managesOrganization, type User } from "../../access.ts";
import { AppError } from "../../errors.ts";
import type { PluginBudget } from "../plugin-host.ts";
import type { BudgetValues } from "../schema.ts";

/** As it is stored: null where it limits nothing. */
export function readBudget(given: BudgetValues | null): PluginBudget | null {
  if (given === null) return null;
  const budget = {
    callsPerMinute: given.calls_per_minute,
    secondsPerCall: given.seconds_per_call,
    bytesOutPerMinute: given.bytes_out_per_minute,
  };
  return Object.values(budget).every((limit) => limit === null) ? null : budget;
}

export function budgetView(budget: PluginBudget | null): BudgetValues {
  return {
    calls_per_minute: budget?.callsPerMinute ?? null,
    seconds_per_call: budget?.secondsPerCall ?? null,
    bytes_out_per_minute: budget?.bytesOutPerMinute ?? null,
  };
}

/**
 * Budgets are set by system administrators, and by administrators of the tool's organization: its author could undo one.
 * @throws AppError `forbidden`
 */
export function checkMayBudget(user: User, organizationId: string | null): void {
  if (managesOrganization(user, organizationId ?? "")) return;
  throw new AppError("forbidden", "Only an administrator can change a plugin's budget", { param: "budget" });
}
