/** Suffixes of samples that each type has, in OpenMetrics; `text` is what differs in the older format. */
const suffixes: Record<string, readonly string[]> = {
  counter: ["_total"],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
  info: ["_info"],
};

export interface ParsedSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface ParsedFamily {
  name: string;
  type: string;
  unit: string;
  help: string;
  samples: ParsedSample[];
}

/**
 * Reads both formats as strictly as their texts say, and more than Prometheus itself does.
 * @throws Error for the first line that is not allowed
 */
export function parseMetrics(text: string, format: "text" | "openMetrics"): ParsedFamily[] {
  if (!text.endsWith("\n") || text.includes("\r")) throw new Error("lines have to end with one line feed");
  const lines = text.slice(0, -1).split("\n");
  if (format === "openMetrics" && lines.pop() !== "# EOF") throw new Error("OpenMetrics ends with # EOF");
  const families = new Map<string, ParsedFamily>();
  const seen = new Set<string>();
  let current: ParsedFamily | undefined;
  for (const line of lines) {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${line}`);
    };
    const comment = /^# (TYPE|HELP|UNIT) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line);
    if (comment) {
      const [, kind, name = "", rest = ""] = comment;
      if (kind === "TYPE") {
        if (families.has(name)) fail("a family comes once");
        if (!["counter", "gauge", "histogram", ...(format === "openMetrics" ? ["info"] : [])].includes(rest))
          fail("unknown type");
        families.set(name, (current = { name, type: rest, unit: "", help: "", samples: [] }));
      } else if (current?.name !== name || current.samples.length > 0) fail("it does not stand with its family");
      else if (kind === "HELP") current.help = rest;
      else if (format !== "openMetrics" || !name.endsWith(`_${rest}`)) fail("the unit is not the end of the name");
      else current.unit = rest;
      continue;
    }
    const [, name = "", labelText, valueText = ""] =
      /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? fail("no sample");
    const labels = parseLabels(labelText ?? "", fail);
    if (!current) return fail("a sample without a family");
    const { type } = current;
    const isBare = format === "text" && type !== "histogram";
    const allowed = (isBare ? [""] : suffixes[type]!).map((suffix) => `${current!.name}${suffix}`);
    if (!allowed.includes(name)) fail(`a ${type} has no such sample`);
    const value = valueText === "+Inf" ? Infinity : Number(valueText);
    if (!/^(?:\+Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.test(valueText)) fail("no number");
    if (value < 0) fail("a negative number");
    const key = `${name} ${JSON.stringify(Object.entries(labels).toSorted())}`;
    if (seen.has(key)) fail("the same series twice");
    seen.add(key);
    current.samples.push({ name, labels, value });
  }
  for (const family of families.values()) {
    if (family.help === "") throw new Error(`${family.name} has no help`);
    if (format === "text" && family.type === "counter" && !family.name.endsWith("_total"))
      throw new Error(`${family.name} does not end in _total`);
    if (family.type === "histogram") checkHistogram(family);
  }
  return [...families.values()];
}

function parseLabels(text: string, fail: (why: string) => never): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== "") {
    const [whole, name = "", value = ""] =
      /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?=.)|$)/.exec(rest) ?? fail("labels that cannot be read");
    if (name in labels) fail("a label twice");
    labels[name] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
    rest = rest.slice(whole.length);
  }
  return labels;
}

/** Buckets ascend to +Inf, and the last one is the count. */
function checkHistogram({ name, samples }: ParsedFamily): void {
  const groups = new Map<string, ParsedSample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => (labels["le"] === "+Inf" ? Infinity : Number(labels["le"])));
    const isAscending = (values: number[]) => values.every((value, at) => at === 0 || value >= values[at - 1]!);
    const count = group.find((sample) => sample.name === `${name}_count`)?.value;
    if (bounds.at(-1) !== Infinity || new Set(bounds).size !== bounds.length || !isAscending(bounds))
      throw new Error(`the bounds of ${name} ${key} do not ascend to +Inf`);
    if (!isAscending(buckets.map(({ value }) => value)) || buckets.at(-1)?.value !== count)
      throw new Error(`the buckets of ${name} ${key} do not add up`);
    if (!group.some((sample) => sample.name === `${name}_sum`)) throw new Error(`${name} ${key} has no sum`);
  }
}

/** Names of samples that a family can have, also where it has none yet; of output in the text format. */
export function sampleNames(families: readonly ParsedFamily[]): string[] {
  return families.flatMap(({ name, type }) =>
    type === "histogram" ? suffixes["histogram"]!.map((suffix) => `${name}${suffix}`) : [name],
  );
}

/** The sum of the series with these labels; 0 where there is none. */
export function sumOf(families: readonly ParsedFamily[], name: string, labels: Record<string, string> = {}): number {
  return families
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
