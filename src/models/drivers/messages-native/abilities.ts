/** Capabilities of a model of the dialect, derived from its name. */
export interface Abilities {
  /** The token limit if the caller sets none, because the dialect requires one. */
  maxTokens: number;
  /** `adaptive`: decides by itself how long it thinks, by effort; `budget`: needs a number of tokens. */
  thinking: "adaptive" | "budget";
  /** Answers can be constrained to a JSON schema. */
  hasSchemas: boolean;
  /** Whether temperature and `top_p` are allowed: `both`, only `one` of them, or `none`. */
  sampling: "both" | "one" | "none";
}

/**
 * From this version of Claude on; the last matching line wins (docs.anthropic.com, "Models overview" and the migration
 * guides).
 */
const claude: readonly (readonly [since: number, Abilities])[] = [
  [0, { maxTokens: 4096, thinking: "budget", hasSchemas: false, sampling: "both" }],
  [3.05, { maxTokens: 8192, thinking: "budget", hasSchemas: false, sampling: "both" }],
  [3.07, { maxTokens: 32_000, thinking: "budget", hasSchemas: false, sampling: "both" }],
  [4.01, { maxTokens: 32_000, thinking: "budget", hasSchemas: false, sampling: "one" }],
  [4.05, { maxTokens: 32_000, thinking: "budget", hasSchemas: true, sampling: "one" }],
  [4.06, { maxTokens: 32_000, thinking: "adaptive", hasSchemas: true, sampling: "one" }],
  [4.07, { maxTokens: 32_000, thinking: "adaptive", hasSchemas: true, sampling: "none" }],
];

/** Models of other vendors with a Messages API. */
const others: Abilities = { maxTokens: 8192, thinking: "budget", hasSchemas: false, sampling: "both" };

export function abilitiesOf(model: string): Abilities {
  if (!/claude/i.test(model)) return others;
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/i.exec(model) ?? [];
  // A name without a number is of what came last.
  const version = major === undefined ? Infinity : Number(major) + Number(minor ?? 0) / 100;
  return claude.findLast(([since]) => version >= since - 1e-9)![1];
}
