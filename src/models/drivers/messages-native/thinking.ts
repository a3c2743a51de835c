import { isRecord } from "../../../lib/json.ts";
import type { Abilities } from "./abilities.ts";

/** Thinking tokens, for models that need a number. */
const budgets: Record<string, number> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_000,
  max: 32_000,
};
/** The dialect's minimum. */
const minBudget = 1024;
/** Effort values of chat completions in the dialect. */
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
  /** The model must call a tool: then it cannot think. */
  isForced: boolean;
  /** See `MessagesOf`. */
  opensThinking: boolean;
}

/**
 * The model's thinking options. The caller's `thinking` in the dialect wins over `reasoning_effort`; if thinking is not
 * possible, the model answers without it.
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
