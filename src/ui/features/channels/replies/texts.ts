const list = new Intl.ListFormat(undefined, { type: "unit", style: "short" });

/** What is said below answers of models. */
export const texts = {
  stopped: "Stopped early.",
  sources: "Sources",
  numbers: (numbers: readonly number[]) => `[${list.format(numbers.map(String))}]`,
};
