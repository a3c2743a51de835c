/** What a model of the dialect takes, as far as its name says it. */
export interface Abilities {
  /** Tokens to ask for where the caller names no limit: the dialect wants one. */
  maxTokens: number;
  /** `adaptive`: decides by itself how long it thinks, by an effort; `budget`: is told how many tokens. */
  thinking: "adaptive" | "budget";
  /** Answers can be held to a JSON schema. */
  hasSchemas: boolean;
  /** Whether temperature and `top_p` may be said: `both`, only `one` of them, or `none`. */
  sampling: "both" | "one" | "none";
}

/** From this version of Claude on; the later line counts (docs.anthropic.com, "Models overview" and the migration guides). */
const claude: readonly (readonly [since: number, Abilities])[] = [
  [0, { maxTokens: 4096, thinking: "budget", hasSchemas: false, sampling: "both" }],
  [3.05, { maxTokens: 8192, thinking: "budget", hasSchemas: false, sampling: "both" }],
  [3.07, { maxTokens: 32_000, thinking: "budget", hasSchemas: false, sampling: "both" }],
  [4.01, { maxTokens: 32_000, thinking: "budget", hasSchemas: false, sampling: "one" }],
  [4.05, { maxTokens: 32_000, thinking: "budget", hasSchemas: true, sampling: "one" }],
  [4.06, { maxTokens: 32_000, thinking: "adaptive", hasSchemas: true, sampling: "one" }],
  [4.07, { maxTokens: 32_000, thinking: "adaptive", hasSchemas: true, sampling: "none" }],
];

/** Models of other makers that are offered in the dialect too. */
const others: Abilities = { maxTokens: 8192, thinking: "budget", hasSchemas: false, sampling: "both" };

export function abilitiesOf(model: string): Abilities {
  if (!/claude/i.test(model)) return others;
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/i.exec(model) ?? [];
  // A name without a number is of what came last.
  const version = major === undefined ? Infinity : Number(major) + Number(minor ?? 0) / 100;
  return claude.findLast(([since]) => version >= since - 1e-9)![1];
}
