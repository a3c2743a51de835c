import type { MetricFormat } from "./render-metrics.ts";

/**
 * The format that the `Accept` header (RFC 9110, section 12.5.1) likes best; the older one where it is silent, likes both
 * equally, or names neither.
 */
export function chooseFormat(accept: string | null): MetricFormat {
  let text = 0;
  let openMetrics = 0;
  for (const range of (accept ?? "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const valueOf = (name: string) =>
      parameters
        .find((parameter) => parameter.startsWith(`${name}=`))
        ?.slice(name.length + 1)
        .replaceAll('"', "");
    const weight = Number(valueOf("q") ?? 1);
    const version = valueOf("version");
    if (!(weight > 0 && weight <= 1)) continue;
    if (type === "application/openmetrics-text" && (version === undefined || version === "1.0.0"))
      openMetrics = Math.max(openMetrics, weight);
    const isText = type === "text/plain" || type === "text/*" || type === "*/*";
    if (isText && (version === undefined || version === "0.0.4")) text = Math.max(text, weight);
  }
  return openMetrics > text ? "openMetrics" : "text";
}
