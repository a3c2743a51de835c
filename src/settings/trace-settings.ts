import * as z from "zod";
import { areHeaders, readPairs } from "../lib/traces/pairs.ts";
import { samplerNames } from "../lib/traces/sampler.ts";
import type { Definition } from "./definition.ts";

const address = z.union([
  z.literal(""),
  z.url({ protocol: /^https?$/ }).refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), "without a password in it"),
]);
const headers = z.string().max(10_000).refine(areHeaders, "name=value, with commas between");
const pairs = z
  .string()
  .max(10_000)
  .refine((text) => readPairs(text) !== undefined, "name=value, with commas between");
/** JSON is the one form that is written without the libraries of OpenTelemetry. */
const protocols = ["http/json"] as const;

const kept = { where: "environment", section: "service" } as const;

/** Settings of traces. Names and meanings are OpenTelemetry's, where it has them. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...kept,
    schema: address,
    default: "",
    type: "text",
    title: "Collector",
    description:
      "The address of an OpenTelemetry collector, such as http://127.0.0.1:4318. Traces go to /v1/traces below it. Without it there are none.",
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    ...kept,
    schema: address,
    default: "",
    type: "text",
    title: "Collector of traces",
    description: "The whole address for traces, with its path. It comes before the other one.",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    ...kept,
    schema: headers,
    default: "",
    type: "text",
    secret: true,
    title: "Headers for the collector",
    description: "name=value, with commas between: a key, for example. Values may be escaped with %.",
  },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: {
    ...kept,
    schema: headers,
    default: "",
    type: "text",
    secret: true,
    title: "Headers for traces",
    description: "The same, for traces alone. One of the same name comes before the other.",
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    ...kept,
    schema: z.enum(protocols),
    default: "http/json",
    type: "choice",
    options: protocols,
    title: "Protocol of the collector",
    description: "Parley sends JSON over HTTP, which every collector takes at its HTTP port (4318).",
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: {
    ...kept,
    schema: z.enum(protocols),
    default: "http/json",
    type: "choice",
    options: protocols,
    title: "Protocol for traces",
    description: "The same, for traces alone.",
  },
  OTEL_SERVICE_NAME: {
    ...kept,
    schema: z.string().max(200),
    default: "parley",
    type: "text",
    title: "Name in traces",
    description: "The name of this service in traces.",
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    ...kept,
    schema: pairs,
    default: "",
    type: "text",
    title: "Attributes of the service",
    description:
      "name=value, with commas between, such as deployment.environment.name=staging. They are in every trace.",
  },
  OTEL_TRACES_SAMPLER: {
    ...kept,
    schema: z.enum(samplerNames),
    default: "parentbased_always_on",
    type: "choice",
    options: samplerNames,
    title: "Which traces are recorded",
    description: "parentbased: what a traceparent says counts, and the rest only without one.",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    ...kept,
    schema: z.number().min(0, "0 to 1").max(1, "0 to 1"),
    default: 1,
    type: "number",
    title: "Share of traces",
    description: "0 to 1, such as 0.1: how many traces the samplers with traceidratio record.",
  },
  OTEL_SDK_DISABLED: {
    ...kept,
    schema: z.boolean(),
    default: false,
    type: "boolean",
    title: "No traces",
    description: "Switches traces off, whatever else is set.",
  },
  TRACEPARENT_TO_PROVIDERS: {
    ...kept,
    schema: z.boolean(),
    default: false,
    type: "boolean",
    title: "Providers learn the trace",
    description: "Calls of models have the header traceparent, so that a provider of your own can add to the trace.",
  },
} as const satisfies Record<string, Definition>;
