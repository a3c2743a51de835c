import type { Environment } from "../../context.ts";
import { readPairs } from "./pairs.ts";
import { createSampler } from "./sampler.ts";
import { SpanExporter } from "./span-exporter.ts";
import type { Tracing } from "./tracer.ts";

/** Undefined where traces are off. Once for each isolate. */
export function createTracing(environment: Environment, version: string): Tracing | undefined {
  const url = addressOf(environment);
  if (url === undefined || environment.OTEL_SDK_DISABLED) return undefined;
  const attributes = readPairs(environment.OTEL_RESOURCE_ATTRIBUTES ?? "");
  const target = {
    url,
    headers: {
      ...readPairs(environment.OTEL_EXPORTER_OTLP_HEADERS ?? ""),
      ...readPairs(environment.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? ""),
    },
    resource: {
      "service.name": "parley",
      "service.version": version,
      ...attributes,
      ...(environment.OTEL_SERVICE_NAME ? { "service.name": environment.OTEL_SERVICE_NAME } : {}),
    },
    version,
  };
  return {
    sampler: createSampler(
      environment.OTEL_TRACES_SAMPLER ?? "parentbased_always_on",
      environment.OTEL_TRACES_SAMPLER_ARG ?? 1,
    ),
    exporter: new SpanExporter(target, environment),
    tellsProviders: environment.TRACEPARENT_TO_PROVIDERS ?? false,
  };
}

function addressOf(environment: Environment): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = environment;
  if (whole) return whole;
  if (!base) return undefined;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url.href;
}
