/** A value with its labels. `suffix` is what comes after the family's name. */
export interface Sample {
  suffix: "" | "_total" | "_bucket" | "_sum" | "_count" | "_info";
  labels: readonly (readonly [name: string, value: string])[];
  value: number;
}

/** A metric with all its values, as both formats of Prometheus describe it. */
export interface Family {
  /** Without `_total` or `_info`; with the unit at its end. */
  name: string;
  type: "counter" | "gauge" | "histogram" | "info";
  unit?: "seconds" | "bytes";
  help: string;
  samples: Sample[];
}

/** What one part of the service tells, without values. */
export interface Described extends Omit<Family, "samples" | "type"> {
  labels?: readonly string[];
}

/** Values that are read when they are asked for, each with the values of the labels. */
export function gauge(
  { labels = [], ...described }: Described,
  values: readonly (readonly [labels: readonly string[], value: number])[],
): Family {
  const samples = values.map(([given, value]): Sample => ({
    suffix: "",
    labels: labels.map((name, at) => [name, given[at] ?? ""]),
    value,
  }));
  return { ...described, type: "gauge", samples };
}
