import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

/** What can stand behind `Bearer ` in a header, and cannot be guessed. */
const token = z.string().regex(/^[\x21-\x7e]{16,1000}$/, "16 to 1000 visible ASCII characters without spaces");

/** Settings of the numbers for Prometheus. From the environment only, as the monitor is part of how the service runs. */
export const metricSettings = {
  METRICS_TOKEN: {
    schema: z.union([z.literal(""), token]),
    default: "",
    where: "environment",
    section: "service",
    type: "text",
    secret: true,
    title: "Token for metrics",
    description:
      "A random text of at least 16 characters that Prometheus sends as its Bearer token to /metrics. Without it, /metrics is 404.",
  },
} as const satisfies Record<string, Definition>;
