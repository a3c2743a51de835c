import { Counter, Histogram, type Owner } from "../lib/metrics/series.ts";
import type { FoundRoute } from "./routes.ts";

/** Every declared route may have some: answers, refusals, failures. */
const maxSeries = 5000;

export const requestCount = new Counter({
  name: "parley_http_requests",
  help: "Answered requests. The route is the declared path, or unknown; status is the class of the status.",
  labels: ["route", "method", "status", "dialect"],
  maxSeries,
});

export const requestDuration = new Histogram({
  name: "parley_http_request_duration_seconds",
  unit: "seconds",
  help: "Time until the answer began. Streams of answers go on after that.",
  labels: ["route", "method"],
  bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  maxSeries,
});

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts an answered request. Nothing of what the caller sent becomes a label. */
export function noteRequest(
  owner: Owner,
  { declared, policy }: FoundRoute,
  { method, status, durationMs }: { method: string; status: number; durationMs: number },
): void {
  const route = declared?.path ?? "unknown";
  const shownMethod = declared?.method ?? (methods.has(method) ? method : "other");
  const dialect = policy.dialect.dialectName ?? "other";
  requestCount.add(owner, [route, shownMethod, statusClasses[Math.floor(status / 100)] ?? "other", dialect]);
  requestDuration.observe(owner, [route, shownMethod], durationMs / 1000);
}

const statusClasses = ["other", "1xx", "2xx", "3xx", "4xx", "5xx"];
