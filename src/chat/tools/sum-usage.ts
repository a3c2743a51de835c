type Usage = Record<string, unknown>;

const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

/**
 * The usage of an answer with several calls of the model: `prompt_tokens`, `completion_tokens` and further fields are
 * those of the last call, `input_tokens`, `output_tokens` and `total_tokens` are totals, as in Open WebUI.
 */
export function sumUsage(calls: readonly (Usage | undefined)[]): Usage | undefined {
  const said = calls.filter((usage) => usage !== undefined);
  const last = said.at(-1);
  if (!last || said.length === 1) return last;
  const sum = (read: (usage: Usage) => number): number => said.reduce((total, usage) => total + read(usage), 0);
  const input = (usage: Usage): number => count(usage["prompt_tokens"] ?? usage["input_tokens"]);
  const output = (usage: Usage): number => count(usage["completion_tokens"] ?? usage["output_tokens"]);
  return {
    ...last,
    input_tokens: sum(input),
    output_tokens: sum(output),
    total_tokens: sum((usage) => count(usage["total_tokens"]) || input(usage) + output(usage)),
  };
}
