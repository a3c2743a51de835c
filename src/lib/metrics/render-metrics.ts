import type { Family, Sample } from "./family.ts";

/**
 * Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/) and OpenMetrics 1.0.0
 * (https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md).
 */
export const metricFormats = {
  text: "text/plain; version=0.0.4; charset=utf-8",
  openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
} as const;
export type MetricFormat = keyof typeof metricFormats;

export function renderMetrics(families: readonly Family[], format: MetricFormat): string {
  const lines = families.flatMap((family) => renderFamily(family, format));
  if (format === "openMetrics") lines.push("# EOF");
  return `${lines.join("\n")}\n`;
}

function renderFamily({ name, type, unit, help, samples }: Family, format: MetricFormat): string[] {
  const isOpen = format === "openMetrics";
  // The older format knows no suffixes: there the name of a counter ends in `_total`, and an info is a gauge.
  const suffix = isOpen ? "" : type === "counter" ? "_total" : type === "info" ? "_info" : "";
  const shownType = !isOpen && type === "info" ? "gauge" : type;
  return [
    `# TYPE ${name}${suffix} ${shownType}`,
    ...(isOpen && unit ? [`# UNIT ${name} ${unit}`] : []),
    `# HELP ${name}${suffix} ${isOpen ? escapeText(help) : help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
    ...samples.map((sample) => renderSample(name, sample)),
  ];
}

function renderSample(name: string, { suffix, labels, value }: Sample): string {
  const shown = labels.map(([label, text]) => `${label}="${escapeText(text)}"`).join(",");
  return `${name}${suffix}${shown === "" ? "" : `{${shown}}`} ${formatNumber(value)}`;
}

function escapeText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function formatNumber(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}
