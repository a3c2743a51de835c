import { isRecord } from "../../../lib/json.ts";
import type { Abilities } from "./abilities.ts";

/** Tokens to think with, for models that are told how many. */
const budgets: Record<string, number> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_000,
  max: 32_000,
};
/** The dialect's least. */
const minBudget = 1024;
/** Words of chat completions for the dialect's own. */
const efforts: Record<string, string> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "max",
};

export interface ThinkingOptions {
  abilities: Abilities;
  maxTokens: number;
  /** The model must call a tool: then it may not think. */
  isForced: boolean;
  /** See `MessagesOf`. */
  opensThinking: boolean;
}

/**
 * How the model is told to think. What the caller wrote in the dialect's own words, `thinking`, wins over `reasoning_effort`; where
 * thinking cannot be had, the model answers without.
 */
export function thinkingOf(
  body: Record<string, unknown>,
  { abilities, maxTokens, isForced, opensThinking }: ThinkingOptions,
): { thinking?: Record<string, unknown>; effort?: string } {
  const { thinking, reasoning_effort: effort } = body;
  if (isRecord(thinking)) {
    const { type } = thinking;
    const isPossible = type === "disabled" || (!isForced && (type === "adaptive" || opensThinking));
    return isPossible ? { thinking } : {};
  }
  if (typeof effort !== "string") return {};
  if (effort === "none") return abilities.thinking === "budget" ? { thinking: { type: "disabled" } } : {};
  if (isForced || !Object.hasOwn(budgets, effort)) return {};
  if (abilities.thinking === "adaptive")
    return { thinking: { type: "adaptive", display: "summarized" }, effort: efforts[effort]! };
  // What is thought counts among the tokens of the answer.
  const budget = Math.min(budgets[effort]!, maxTokens - minBudget);
  return opensThinking && budget >= minBudget ? { thinking: { type: "enabled", budget_tokens: budget } } : {};
}
