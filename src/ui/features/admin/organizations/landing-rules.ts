import type { LandingRuleList } from "../../../../people/organizations/schema.ts";
import { api } from "../../../lib/api.ts";
import type { Landing, LandingRule, Newcomer, NewRule } from "./rule-draft.ts";

const base = "/api/v1/landing-rules";

export async function listRules(signal?: AbortSignal): Promise<LandingRule[]> {
  return (await api<LandingRuleList>("GET", base, { signal })).rules;
}

/** Replaces the whole list. */
export async function saveRules(rules: NewRule[]): Promise<LandingRule[]> {
  return (await api<LandingRuleList>("PUT", base, { body: { rules } })).rules;
}

/** Where somebody would land by the saved rules. */
export const tryRules = (newcomer: Newcomer): Promise<Landing> => api("POST", `${base}/try`, { body: newcomer });
